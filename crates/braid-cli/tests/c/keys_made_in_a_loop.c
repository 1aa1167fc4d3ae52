// expect: safe
// Keys that are made in a loop are different ones.
#include <assert.h>
#include <pthread.h>
pthread_key_t k[3];
int main(void) {
  for (int i = 0; i < 3; i++) pthread_key_create(&k[i], 0);
  for (int i = 0; i < 3; i++) pthread_setspecific(k[i], (void*)(long)(i + 1));
  for (int i = 0; i < 3; i++) assert((long)pthread_getspecific(k[i]) == i + 1);
}
