// expect: safe
// options: --property no-data-race
// Freeing one of several blocks has nothing to do with the others.
// expect -D WRONG: unsafe
// One of several blocks of unknown size is freed while its second cell is still written.
#include <pthread.h>
#include <stdlib.h>

int *make(unsigned cells) { return malloc(cells * sizeof(int)); }

void *use(void *block) {
  ((int *)block)[1] = 1;
  return 0;
}

int main(int arguments, char **texts) {
  pthread_t user;
  int *kept = make(arguments + 2);
  int *shared = make(arguments + 2);
  pthread_create(&user, 0, use, shared);
  kept[1] = 2;
#ifndef WRONG
  free(kept);
  free(0);
#else
  free(shared);
#endif
  return 0;
}
