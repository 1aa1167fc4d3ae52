// expect: safe
// A lock in one byte of a word, taken by a compare-and-swap, and read as a whole.
// expect -D WRONG: unsafe
// Who resets the whole word also takes the lock away.
#include <assert.h>
#include <pthread.h>
static union { unsigned value; struct { unsigned char locked, pending; unsigned short tail; } part; } word;
static int inside;
static void *thread(void *a) {
  unsigned char none = 0;
  if (__atomic_compare_exchange_n(&word.part.locked, &none, 1, 0, 5, 5)) {
    assert(++inside == 1);
#ifndef WRONG
    assert((__atomic_load_n(&word.value, 5) & 255) == 1);
#endif
    inside--;
    __atomic_store_n(&word.part.locked, 0, 5);
#ifdef WRONG
  } else {
    __atomic_store_n(&word.value, 0, 5);
    thread(0);
#endif
  }
  return 0;
}
int main(void) {
#ifndef WRONG
  pthread_t t;
#else
  pthread_t s, t;
  pthread_create(&s, 0, thread, 0);
#endif
  pthread_create(&t, 0, thread, 0);
#ifndef WRONG
  thread(0);
#else
  pthread_join(s, 0);
#endif
  pthread_join(t, 0);
#ifndef WRONG
  assert(word.value == 0);
#endif
  return 0;
}
