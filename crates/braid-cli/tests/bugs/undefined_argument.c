// property: no-undefined
#include <stdarg.h>
int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int sum = 0;
  while (n--) sum += va_arg(list, int);
  va_end(list);
  return sum;
}
int main(void) {
#ifdef BUG
  return sum(3, 1, 2);
#else
  return sum(2, 1, 2);
#endif
}
