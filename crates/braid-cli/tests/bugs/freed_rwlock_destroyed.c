// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  pthread_rwlock_t *x = malloc(sizeof *x);
  pthread_rwlock_init(x, 0);
#ifdef BUG
  free(x);
  pthread_rwlock_destroy(x);
#else
  pthread_rwlock_destroy(x);
  free(x);
#endif
  return 0;
}
