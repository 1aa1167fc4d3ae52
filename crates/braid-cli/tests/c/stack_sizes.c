// expect: safe
// The size of stacks is what was set, and not too small before.
// expect -D WRONG: unsafe
#include <assert.h>
#include <pthread.h>
int main(void) {
  pthread_attr_t a;
  unsigned long size;
  int scope;
  pthread_attr_init(&a);
  pthread_attr_getstacksize(&a, &size);
#ifdef WRONG
  assert(size == 1 << 20);
#else
  assert(size >= 16384);
#endif
  assert(pthread_attr_setstacksize(&a, 1 << 20) == 0 && pthread_attr_setstacksize(&a, 1) != 0);
  pthread_attr_getstacksize(&a, &size);
  assert(size == 1 << 20);
  pthread_attr_getscope(&a, &scope);
  assert(scope == PTHREAD_SCOPE_SYSTEM);
}
