// property: no-undefined
#include <pthread.h>
#include <stdlib.h>
int count = 2;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *taker(void *arg) {
  pthread_mutex_lock(&m);
  count--;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, taker, 0);
  pthread_create(&b, 0, taker, 0);
#ifdef BUG
  pthread_mutex_lock(&m);
  int share = 100 / count;
  pthread_mutex_unlock(&m);
#else
  pthread_mutex_lock(&m);
  int share = count ? 100 / count : 0;
  pthread_mutex_unlock(&m);
#endif
  pthread_join(a, 0);
  pthread_join(b, 0);
  return share;
}
