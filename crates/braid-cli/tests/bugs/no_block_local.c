// property: valid-free
#include <pthread.h>
#include <stdlib.h>
void drop(int *p) { free(p); }
int main(void) {
  int x = 0;
#ifdef BUG
  drop(rand() ? &x : 0);
#else
  drop(rand() ? malloc(4) : 0);
#endif
  return x;
}
