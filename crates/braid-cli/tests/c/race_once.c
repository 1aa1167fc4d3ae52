// expect: safe
// options: --property no-data-race
// What runs once is done before anybody goes on.
#include <pthread.h>

int ready;
pthread_once_t once = PTHREAD_ONCE_INIT;

void prepare(void) { ready = 1; }

void *use(void *unused) {
  pthread_once(&once, prepare);
  return ready ? unused : 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, use, 0);
  pthread_create(&two, 0, use, 0);
  return 0;
}
