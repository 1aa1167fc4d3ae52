// expect: safe
// options: --property valid-memtrack
// Threads go on after `main`, and nobody allocates anything.
// expect -D ALLOCATED: unknown (leaks of a program that goes on after main
// Whether a block is left is not known then.
#include <pthread.h>
#include <stdlib.h>
int *kept;
void *run(void *p) { return 0; }
int main(void) {
  pthread_t t;
#ifdef ALLOCATED
  kept = malloc(sizeof *kept);
#endif
  pthread_create(&t, 0, run, 0);
  pthread_exit(0);
}
