// Two transfers to one account; the second one forgets the lock.
#include <assert.h>
#include <pthread.h>
int balance;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *first(void *unused) {
  pthread_mutex_lock(&lock);
  balance += 10;
  pthread_mutex_unlock(&lock);
  return 0;
}
void *second(void *unused) {
  balance += 20;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(balance == 30);
}
