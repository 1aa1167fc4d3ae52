// property: unreach-call
// The sum is done by the machine's own instruction, for which the compiler chooses registers; the store comes later.
#include <assert.h>
#include <pthread.h>

int sum;

void *add(void *unused) {
  int old = sum, result;
#if defined __x86_64__
  __asm__("leal 1(%q1), %0" : "=r"(result) : "r"((long)old));
#else
  __asm__("add %w0, %w1, #1" : "=r"(result) : "r"(old));
#endif
  sum = result;
  return 0;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, add, 0);
  pthread_create(&u, 0, add, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(sum == 2);
}
