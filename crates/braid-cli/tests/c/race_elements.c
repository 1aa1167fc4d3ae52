// expect: safe
// options: --property no-data-race
// Different elements of one array are different places.
#include <pthread.h>

int cells[4];

void *fill(void *which) {
  long own = (long)which;
  cells[own] = 1;
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, fill, (void *)1);
  pthread_create(&two, 0, fill, (void *)2);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return cells[1] + cells[2];
}
