// expect: safe
// Arguments and results of threads.
#include "model.h"

void *twice(void *a) { return (void *)(2 * (long)a); }
void deep(long n) { if (n > 0) pthread_exit((void *)n); }
void *leaves(void *a) { deep((long)a); return (void *)77; }
int main() {
  pthread_t t[2];
  void *r;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, twice, (void *)(long)i);
  for (int i = 0; i < 2; i++) { pthread_join(t[i], &r); check((long)r == 2 * i); }
  pthread_create(&t[0], 0, leaves, (void *)5);
  pthread_create(&t[1], 0, leaves, (void *)0);
  pthread_join(t[0], &r);
  check((long)r == 5);
  pthread_join(t[1], &r);
  check((long)r == 77);
}
