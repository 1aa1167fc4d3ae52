// expect: unsafe
// options: --property no-data-race
// Printing a variable reads it.
#include <pthread.h>
#include <stdio.h>

int shared;

void *set(void *unused) {
  shared = 1;
  return 0;
}

int main(void) {
  pthread_t setter;
  pthread_create(&setter, 0, set, 0);
  printf("%d\n", shared);
  return 0;
}
