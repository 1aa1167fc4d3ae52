// expect: unsafe
// options: --property no-data-race
// The length of an array is read where the array is declared.
#include <pthread.h>

int length = 1;

void *grow(void *unused) {
  length = 2;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, grow, 0);
  int cells[length];
  return 0;
}
