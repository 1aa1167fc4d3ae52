// expect: safe
// options: --property unreach-call,no-data-race
// A lock of the program's own: it exchanges until it gets a zero. It is given back by an exchange, or by a move.
// expect -D WRONG: unsafe
// It is not waited for.
#include <assert.h>
#include <pthread.h>
int taken, counter;
static void lock(void) {
#ifdef WRONG
  asm volatile("movl $1, %%eax; xchgl %%eax, %0" : "=m"(taken) : : "eax");
#else
  asm volatile("enter:\n\tmovl $1, %%eax\n\txchgl %%eax, %0\n\ttestl %%eax, %%eax\n\tjnz enter" : "=m"(taken) : : "eax");
#endif
}
static void unlock(void) { asm volatile("movl $0, %%eax; xchgl %%eax, %0" : : "m"(taken) : "eax", "memory"); }
void *run(void *p) {
  lock();
  counter++;
  unlock();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2);
  return 0;
}
