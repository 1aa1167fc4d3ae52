// expect: unsafe
// A thread that ends gives its value to the destructor.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;

void destroy(void *value) { assert((long)value != 2); }

void *thread(void *number) {
  pthread_setspecific(key, number);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_key_create(&key, destroy);
  pthread_create(&one, 0, thread, (void *)1);
  pthread_create(&two, 0, thread, (void *)2);
  return 0;
}
