// property: no-crash
// One thread frees what another one still uses.
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
double *shared;
void *reader(void *unused) {
  double *mine = shared;
  if (mine) return (void *)(long)(sqrt(*mine) > 1);
  return 0;
}
int main(void) {
  pthread_t t;
  shared = malloc(sizeof *shared);
  *shared = 4.0;
  pthread_create(&t, 0, reader, 0);
  double *old = shared;
  shared = NULL;
  free(old);
  pthread_join(t, 0);
}
