// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  pthread_mutex_t *x = malloc(sizeof *x);
  pthread_mutex_init(x, 0);
#ifdef BUG
  free(x);
  pthread_mutex_destroy(x);
#else
  pthread_mutex_destroy(x);
  free(x);
#endif
  return 0;
}
