// property: no-undefined
#include <pthread.h>
pthread_mutex_t lock;
int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &a);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_mutex_destroy(&lock);
#ifdef BUG
  pthread_mutex_trylock(&lock);
#endif
  return 0;
}
