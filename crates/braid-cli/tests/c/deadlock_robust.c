// expect: safe
// options: --property no-deadlock
// Nobody waits for a robust mutex whose owner is over.
#include "owner_over.h"

int main(void) {
  pthread_t t = owner(PTHREAD_MUTEX_ROBUST);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
