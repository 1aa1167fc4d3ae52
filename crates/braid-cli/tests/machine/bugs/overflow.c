// property: no-overflow
// A product that is too large if the factor is changed first.
#include <pthread.h>
int factor = 2;
void *change(void *how) {
  if (*(float *)how > 1.0f) factor = 100000;
  return 0;
}
int main(void) {
  float how = 1.5f;
  pthread_t t;
  pthread_create(&t, 0, change, &how);
  int product = factor * 50000;
  pthread_join(t, 0);
  return product == 0;
}
