// expect: safe
// options: --property valid-memtrack
// Threads go on after main, and there is nothing that could be lost.
// expect -D ALLOCATED: unknown
#include <pthread.h>
#include <stdlib.h>
static int *block, number;
static void *run(void *unused) {
#ifdef ALLOCATED
  block = malloc(sizeof *block);
#else
  block = &number;
#endif
  *block = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_exit(0);
}
