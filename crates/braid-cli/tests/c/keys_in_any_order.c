// expect: safe
// Each value goes to the destructor of its key when the thread ends.
// expect -D WRONG: unsafe
// Which of two destructors runs first is open.
#include <assert.h>
#include <pthread.h>
pthread_key_t a, b;
int n;
void da(void *v) { n = n * 10 + (int)(long)v; }
void db(void *v) { n = n * 10 + (int)(long)v; }
void *thread(void *x) { pthread_setspecific(a, (void*)1); pthread_setspecific(b, (void*)2); assert(pthread_getspecific(a) == (void*)1); return 0; }
int main(void) {
  pthread_t t;
  pthread_key_create(&a, da); pthread_key_create(&b, db);
  assert(!pthread_getspecific(a));
  pthread_create(&t, 0, thread, 0); pthread_join(t, 0);
#ifndef WRONG
  assert(n == 12 || n == 21);
#else
  assert(n == 12);
#endif
}
