// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
int *data;
void *user(void *arg) { return (void *)(long)*data; }
int main(void) {
  pthread_t t;
#ifdef BUG
  pthread_create(&t, 0, user, 0);
  data = malloc(sizeof *data);
  *data = 1;
#else
  data = malloc(sizeof *data);
  *data = 1;
  pthread_create(&t, 0, user, 0);
#endif
  pthread_join(t, 0);
  free(data);
}
