// property: valid-deref
#include <semaphore.h>
#include <stdlib.h>
int main(void) {
  sem_t *x = malloc(sizeof *x);
  sem_init(x, 0, 1);
#ifdef BUG
  free(x);
  sem_destroy(x);
#else
  sem_destroy(x);
  free(x);
#endif
  return 0;
}
