// property: no-data-race
// Complex numbers.
#include <complex.h>
#include <pthread.h>
double complex state = 1.0;
void *turn(void *unused) {
  state *= I;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, turn, 0);
  turn(0);
  pthread_join(t, 0);
  return creal(state) > 0;
}
