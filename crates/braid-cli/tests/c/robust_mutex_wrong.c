// expect: unsafe
// The owner may be over.
#include "owner_over.h"

int main(void) {
  owner(PTHREAD_MUTEX_ROBUST);
  assert(pthread_mutex_lock(&m) == 0);
}
