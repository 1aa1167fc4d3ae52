// expect: safe
// Functions inside of functions read and write what is around them, called by name and through pointers, in several threads.
// expect -D WRONG: unsafe
// The function inside counts its calls in a variable of the one around.
#include <assert.h>
#include <pthread.h>

static int apply(int (*f)(int), int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += f(i);
  return sum;
}
static int outer(int factor) {
  int calls = 0;
  int times(int i) {
    calls++;
    return i * factor;
  }
  int sum = apply(times, 3);
  return 10 * sum + calls;
}
static void *worker(void *to) {
  int n = 0;
  void step(void) { n++; }
  step();
  step();
  *(int *)to = n;
  return 0;
}
int main(void) {
  int x = 1, list[3] = {1, 2, 3}, results[2];
  int add(int k) { return x += k; }
  assert(add(2) == 3 && x == 3);
  void set(int i, int v) { list[i] = v; }
  set(2, 7);
  assert(list[2] == 7);
  auto int even(int);
  int odd(int k) { return k == 0 ? 0 : even(k - 1); }
  int even(int k) { return k == 0 ? 1 : odd(k - 1); }
  assert(even(4) && !odd(2));
#ifndef WRONG
  assert(outer(2) == 63 && outer(5) == 153);
#else
  assert(outer(2) == 60 && outer(5) == 153);
#endif
  pthread_t a, b;
  pthread_create(&a, 0, worker, &results[0]);
  pthread_create(&b, 0, worker, &results[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(results[0] == 2 && results[1] == 2);
  return 0;
}
