// expect: safe
// options: --property no-deadlock --engine locks
// Mutexes with initial values are free from the start, also where the action that sets them starts the threads.
// expect -D WRONG: unknown (locks are taken in different orders)
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static void *one(void *argument) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  shared++;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}
static void *other(void *argument) {
#ifdef WRONG
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
#else
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
#endif
  shared++;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, other, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
}
