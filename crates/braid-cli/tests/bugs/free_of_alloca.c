// property: valid-free
#include <alloca.h>
#include <stdlib.h>
int main(void) {
#ifdef BUG
  int *p = alloca(sizeof(int));
#else
  int *p = malloc(sizeof(int));
#endif
  *p = 1;
  free(p);
}
