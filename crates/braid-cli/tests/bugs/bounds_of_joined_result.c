// property: valid-deref
// `pthread_join` writes a pointer, which an `int` has no room for.
#include <pthread.h>
static void *run(void *unused) { return (void *)3; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
#ifdef BUG
  int result;
#else
  long result;
#endif
  pthread_join(t, (void **)&result);
  return 0;
}
