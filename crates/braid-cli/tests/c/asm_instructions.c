// expect: safe
// Well-known instructions of x86: exchange, compare-and-exchange, locked arithmetic, barriers.
// expect -D WRONG: unsafe
// Without the prefix `lock`, arithmetic on memory is no single step.
#include <assert.h>
#include <pthread.h>
static inline int cas(volatile int *p, int old, int new) { int r; __asm__ volatile("lock; cmpxchgl %2,%1" : "=a"(r), "+m"(*p) : "r"(new), "0"(old) : "memory"); return r; }
static inline int cas2(volatile int *p, int old, int new) { int r; asm volatile("lock cmpxchgl %[n],%[m]\n\t" : "=a"(r), [m] "+m"(*p) : [n] "r"(new), "0"(old) : "memory", "cc"); return r; }
static inline int xchg(volatile int *p, int v) { __asm__ __volatile__("xchgl %0,%1" : "=r"(v), "+m"(*p) : "0"(v) : "memory"); return v; }
static inline int xadd(volatile int *p, int v) { asm volatile("lock\n\txaddl %0, %1" : "+r"(v), "+m"(*p) : : "memory"); return v; }
#ifndef WRONG
static inline void inc(volatile int *p) { asm volatile("lock; incl %0" : "+m"(*p)); }
static inline void add(volatile int *p, int i) { asm volatile("lock addl %1,%0" : "+m"(*p) : "ir"(i)); }
#else
static inline void inc(volatile int *p) { asm volatile("incl %0" : "+m"(*p)); }
static inline void add(volatile int *p, int i) { asm volatile("addl %1,%0" : "+m"(*p) : "ir"(i)); }
#endif
static inline void fence(void) { asm volatile("mfence" ::: "memory"); asm volatile("pause"); asm volatile("lock; addl $0,0(%%rsp)" ::: "memory"); asm volatile("rep; nop"); asm volatile("" ::: "memory"); }
int lock, x, n, ticket;
void *run(void *a) {
  while (xchg(&lock, 1)) asm volatile("pause" ::: "memory");
  x++;
  fence();
  asm volatile("movl %1,%0" : "=m"(lock) : "r"(0) : "memory");
  inc(&n); add(&n, 2); xadd(&ticket, 1);
  return 0;
}
int main(void) {
  pthread_t t, u;
  int y = 5; asm("addl %1,%0" : "+r"(y) : "r"(3)); assert(y == 8);
  assert(cas(&y, 8, 9) == 8 && y == 9 && cas2(&y, 1, 2) == 9 && y == 9);
  pthread_create(&t, 0, run, 0); pthread_create(&u, 0, run, 0);
  pthread_join(t, 0); pthread_join(u, 0);
  assert(x == 2 && n == 6 && ticket == 2);
}
