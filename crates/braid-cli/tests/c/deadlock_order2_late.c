// expect: safe
// options: --property no-deadlock
// The other order comes when the thread has ended.
#include "locks_in_order.h"
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  pthread_join(t, 0);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}
