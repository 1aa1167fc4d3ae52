// expect: unsafe
// options: --property no-data-race
// A plain read races with a write in a function that is one atomic step.
#include <pthread.h>

int published;

void __VERIFIER_atomic_publish(int value) { published = value; }

void *publisher(void *unused) {
  __VERIFIER_atomic_publish(1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, publisher, 0);
  return published;
}
