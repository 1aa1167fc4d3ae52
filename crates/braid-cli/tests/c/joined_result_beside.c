// expect: safe
// A thread's result has the size of a pointer.
// expect -D WRONG: unsafe
// In an `int`, it goes over what lies beside.
#include <assert.h>
#include <pthread.h>
#ifdef WRONG
struct { int result, beside; } s = {0, 9};
#else
struct { long result; int beside; } s = {0, 9};
#endif
static void *run(void *unused) { return (void *)3; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, (void **)&s.result);
  assert(s.result == 3);
  assert(s.beside == 9);
}
