// expect: safe
// options: --property no-data-race
// The handle is read when the thread that writes it has ended.
// expect -D WRONG: unsafe
// Starting a thread writes its handle, and joining reads it.
#include <pthread.h>

pthread_t first, second;

void *nothing(void *unused) { return 0; }

void *starts(void *unused) {
  pthread_create(&second, 0, nothing, 0);
  return 0;
}

int main(void) {
  pthread_create(&first, 0, starts, 0);
#ifndef WRONG
  pthread_join(first, 0);
#endif
  pthread_join(second, 0);
  return 0;
}
