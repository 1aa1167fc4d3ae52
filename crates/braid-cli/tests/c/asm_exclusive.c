// expect: safe
// Loops of ARM that load and store exclusively: adding, exchanging, comparing.
// expect -D WRONG: unsafe
// A word that is not the one expected is not exchanged.
#include <assert.h>
#include <pthread.h>

static int count, word = 5;
static int add(int *v, int i) {
  unsigned long flag;
  int result;
  asm volatile("1: ldrex %0, [%2]\n"
               "   add %0, %0, %3\n"
               "   strex %1, %0, [%2]\n"
               "   teq %1, #0\n"
               "   bne 1b"
               : "=&r"(result), "=&r"(flag)
               : "r"(v), "Ir"(i)
               : "cc", "memory");
  return result;
}
static int exchange(int *v, int new) {
  unsigned flag;
  int old;
  asm volatile("1: ldaxr %w0, %2\n stlxr %w1, %w3, %2\n cbnz %w1, 1b\n dmb ish" : "=&r"(old), "=&r"(flag), "+Q"(*v) : "r"(new) : "memory");
  return old;
}
static int compare(int *v, int expected, int new) {
  unsigned flag;
  int old;
  asm volatile("1: ldxr %w[old], %[v]\n"
               "   eor %w[flag], %w[old], %w[expected]\n"
               "   cbnz %w[flag], 2f\n"
               "   stxr %w[flag], %w[new], %[v]\n"
               "   cbnz %w[flag], 1b\n"
               "2:"
               : [old] "=&r"(old), [flag] "=&r"(flag), [v] "+Q"(*v)
               : [expected] "r"(expected), [new] "r"(new));
  return flag ? -1 : old;
}
static void *worker(void *unused) {
  add(&count, 2);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 4 && add(&count, 3) == 7);
  assert(exchange(&word, 6) == 5 && word == 6);
#ifndef WRONG
  assert(compare(&word, 5, 9) == -1 && word == 6);
#else
  assert(compare(&word, 5, 9) == -1 && word == 9);
#endif
  assert(compare(&word, 6, 9) == 6 && word == 9);
  return 0;
}
