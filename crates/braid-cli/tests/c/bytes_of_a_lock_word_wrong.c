// expect: unsafe
// Who resets the whole word also takes the lock away.
#include <assert.h>
#include <pthread.h>
static union { unsigned value; struct { unsigned char locked, pending; unsigned short tail; } part; } word;
static int inside;
static void *thread(void *a) {
  unsigned char none = 0;
  if (__atomic_compare_exchange_n(&word.part.locked, &none, 1, 0, 5, 5)) {
    assert(++inside == 1);
    inside--;
    __atomic_store_n(&word.part.locked, 0, 5);
  } else {
    __atomic_store_n(&word.value, 0, 5);
    thread(0);
  }
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, thread, 0);
  pthread_create(&t, 0, thread, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
