// Each call has arrays of variable length of its own: in other threads, and in calls of the same function.
// expect: safe
// expect -D RECURSIVE: unsafe (valid-deref
// expect -D THREAD: unsafe (valid-deref
// options: --property all
#include <assert.h>
#include <pthread.h>
static int sum(int n, int more) {
  int numbers[n], sum = 0;
  for (int i = 0; i < n; i++) numbers[i] = n;
  for (int i = 0; i < n + more; i++) sum += numbers[i];
  return sum;
}
static int sums(int n, int more) {
  if (n <= 0) return 0;
  int numbers[n], sum = 0;
  for (int i = 0; i < n; i++) numbers[i] = n;
  sum = sums(n - 1, 0) + sums(n - 2, more);
  for (int i = 0; i < n; i++) sum += numbers[i];
  if (n == 1) sum += numbers[more];
  return sum;
}
static void *worker(void *unused) {
#ifdef THREAD
  sum(1, 1);
#endif
  assert(sum(1, 0) == 1);
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  assert(sum(3, 0) == 9);
  pthread_join(thread, 0);
#ifdef RECURSIVE
  sums(3, 1);
#endif
  assert(sums(3, 0) == 17);
  return 0;
}
