// expect: safe
// A destructor that sets the value again is called again, but not for ever.
// expect -D WRONG: unsafe
#include <assert.h>
#include <pthread.h>
pthread_key_t key;
int calls;
static void again(void *value) {
  calls++;
  pthread_setspecific(key, value);
}
static void *run(void *unused) {
  pthread_setspecific(key, &calls);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_key_create(&key, again);
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
#ifdef WRONG
  assert(calls < 4);
#else
  assert(calls == 4);
#endif
}
