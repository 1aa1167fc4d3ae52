// expect: unknown (a thread that begins inside of a function, and uses its variables, is not supported
#include <assert.h>
#include <pthread.h>
static int run(int k) {
  int sum = 0;
  void *body(void *unused) {
    sum += k;
    return 0;
  }
  pthread_t t;
  pthread_create(&t, 0, body, 0);
  pthread_join(t, 0);
  return sum;
}
static void *worker(void *unused) {
  assert(run(3) == 3);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  assert(run(2) == 2);
  pthread_join(t, 0);
  return 0;
}
