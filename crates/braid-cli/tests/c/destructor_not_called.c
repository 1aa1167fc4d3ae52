// expect: safe
// No destructor runs for a null value, nor for the first thread's value when `main` returns; a thread that has been joined has run it.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int destroyed;

void destroy(void *value) {
  assert((long)value == 1);
  destroyed++;
}

void *thread(void *number) {
  pthread_setspecific(key, number);
  if (!number) pthread_exit(0);
  return 0;
}

int main(void) {
  pthread_t one, none;
  pthread_key_create(&key, destroy);
  pthread_setspecific(key, (void *)7);
  pthread_create(&one, 0, thread, (void *)1);
  pthread_create(&none, 0, thread, 0);
  pthread_join(one, 0);
  pthread_join(none, 0);
  assert(destroyed == 1);
  return 0;
}
