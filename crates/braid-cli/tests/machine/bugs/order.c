// property: no-deadlock
// Two locks in two orders, chosen by a floating-point number.
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *both(void *balance) {
  int first = *(double *)balance > 0.0;
  pthread_mutex_lock(first ? &a : &b);
  pthread_mutex_lock(first ? &b : &a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}
int main(void) {
  double plus = 1.0, minus = -1.0;
  pthread_t t;
  pthread_create(&t, 0, both, &plus);
  both(&minus);
  pthread_join(t, 0);
}
