// expect: unknown (`await` has no body, and could join a thread
// options: --property no-data-race
// A function that is not known may join the thread that it is given.
#include <pthread.h>

extern void await(pthread_t thread);

int shared;

void *work(void *unused) {
  shared = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  await(thread);
  shared = 2;
  return 0;
}
