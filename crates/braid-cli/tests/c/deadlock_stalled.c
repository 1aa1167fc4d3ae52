// expect: unsafe
// options: --property no-deadlock
// Who asks for a stalled one waits for ever.
#include "owner_over.h"

int main(void) {
  pthread_t t = owner(PTHREAD_MUTEX_STALLED);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
