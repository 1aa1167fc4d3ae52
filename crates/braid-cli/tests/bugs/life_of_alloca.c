// property: valid-deref
#include <alloca.h>
int *cell(int n) {
  int *p = alloca(sizeof(int));
  *p = n;
#ifdef BUG
  return p;
#else
  return *p == n ? 0 : p;
#endif
}
int main(void) {
  int *p = cell(3);
  return p ? *p : 0;
}
