// property: no-undefined
#include <stdarg.h>
int first(int n, ...) {
  va_list list;
  va_start(list, n);
  double first = va_arg(list, double);
  va_end(list);
  return (int)first;
}
int main(void) {
#ifdef BUG
  return first(1, 2);
#else
  return first(1, 2.0);
#endif
}
