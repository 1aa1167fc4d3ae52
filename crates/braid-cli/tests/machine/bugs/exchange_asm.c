// property: unreach-call
// The lock is right, an atomic exchange of the machine; one thread forgets it.
#include <assert.h>
#include <pthread.h>
int lock, count;
static int exchange(int *at, int value) {
#if defined __x86_64__
  __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*at)::"memory");
  return value;
#else
  __asm__ volatile("" ::: "memory");
  return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);
#endif
}
void *careful(void *unused) {
  while (exchange(&lock, 1)) sched_yield();
  count++;
  exchange(&lock, 0);
  return 0;
}
void *careless(void *unused) {
  count++;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, careful, 0);
  pthread_create(&b, 0, careless, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 2);
}
