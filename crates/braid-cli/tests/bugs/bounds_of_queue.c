// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
int queue[4], count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *put(void *arg) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&m);
#ifdef BUG
    queue[count++] = i;
#else
    if (count < 4) queue[count++] = i;
#endif
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, put, 0);
  pthread_create(&b, 0, put, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
