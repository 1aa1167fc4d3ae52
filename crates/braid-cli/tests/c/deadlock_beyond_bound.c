// expect: safe
// options: --property no-deadlock
// The thread that helps may be one beyond the first bound of instances.
#include <pthread.h>
#include <semaphore.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
sem_t s;
int n;
int count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *w(void *a) { pthread_mutex_lock(&m); count++; if (count == n) sem_post(&s); pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 0 && n < 8);
  for (int i = 0; i < n; i++) pthread_create(&t, 0, w, 0);
  sem_wait(&s);
  return 0;
}
