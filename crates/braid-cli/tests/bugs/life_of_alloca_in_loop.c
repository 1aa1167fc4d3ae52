// property: valid-deref
#include <alloca.h>
int *kept[3];
int sum(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    kept[i] = alloca(sizeof(int));
    *kept[i] = i;
  }
  for (int i = 0; i < 3; i++) sum += *kept[i];
  return sum;
}
int main(void) {
  int first = sum();
#ifdef BUG
  int *old = kept[1];
  sum();
  return first + *old;
#else
  sum();
  return first;
#endif
}
