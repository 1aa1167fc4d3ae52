// expect: safe
// options: --property no-data-race
// A function is called through a pointer in allocated memory, by one thread after the other.
// expect -D WRONG: unsafe
// A function is called through a pointer in allocated memory, by two threads.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct task { void (*function)(int); int argument; };
int total;
void work(int n) { int old = total; total = old + n; }
void *worker(void *p) {
  struct task *t = p;
  t->function(t->argument);
  return 0;
}
struct task *make(int n) {
  struct task *t = malloc(sizeof *t);
  t->function = work;
  t->argument = n;
  return t;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, make(1));
#ifndef WRONG
  pthread_join(a, 0);
#endif
  pthread_create(&b, 0, worker, make(2));
#ifdef WRONG
  pthread_join(a, 0);
#endif
  pthread_join(b, 0);
  assert(total == 3);
  return 0;
}
