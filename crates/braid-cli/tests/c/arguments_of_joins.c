// expect: safe
// The handle of a join is evaluated once, also where all threads are started in one loop.
#include <assert.h>
#include <pthread.h>
int x[3];
void *t(void *a) { *(int *)a = 1; return a; }
int main(void) {
  pthread_t h[3];
  int i = 0;
  for (int n = 0; n < 3; n++) pthread_create(&h[n], 0, t, &x[n]);
  void *r;
  pthread_join(h[i++], &r);
  assert(i == 1 && r == &x[0] && x[0] == 1);
  pthread_join(h[i++], 0);
  pthread_join(h[i++], 0);
  assert(i == 3 && x[1] + x[2] == 2);
  return 0;
}
