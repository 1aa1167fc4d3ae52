// property: no-data-race
// Four numbers at a time.
#include <pthread.h>
typedef float four __attribute__((vector_size(16)));
four sums;
void *add(void *unused) {
  sums += (four){1, 2, 3, 4};
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  return sums[0] > 1.5f;
}
