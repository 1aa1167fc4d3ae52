// Two calls in one line, and one in a loop: each has its own effect.
#include <assert.h>
#include <pthread.h>

void next(int *out);
int log_of[3];

void *worker(void *unused) {
  int a = 0, b = 0;
  next(&a), next(&b);
  assert(!(a == 1 && b == 2));
  return 0;
}

int main(void) {
  pthread_t t;
  int x;
  for (int i = 0; i < 3; i++) {
    x = 0;
    next(&x);
    log_of[i] = x;
  }
  if (log_of[0] == 30 && log_of[1] == 20 && log_of[2] == 10) {
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
  }
}
