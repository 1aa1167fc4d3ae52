// expect: unsafe
// options: --property no-deadlock
// A function that runs once starts itself again.
#include <pthread.h>
static pthread_once_t o = PTHREAD_ONCE_INIT;
static void again(void) { pthread_once(&o, again); }
int main(void) {
  pthread_once(&o, again);
  return 0;
}
