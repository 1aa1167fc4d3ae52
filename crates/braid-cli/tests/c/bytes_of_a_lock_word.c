// expect: safe
// A lock in one byte of a word, taken by a compare-and-swap, and read as a whole.
#include <assert.h>
#include <pthread.h>
static union { unsigned value; struct { unsigned char locked, pending; unsigned short tail; } part; } word;
static int inside;
static void *thread(void *a) {
  unsigned char none = 0;
  if (__atomic_compare_exchange_n(&word.part.locked, &none, 1, 0, 5, 5)) {
    assert(++inside == 1);
    assert((__atomic_load_n(&word.value, 5) & 255) == 1);
    inside--;
    __atomic_store_n(&word.part.locked, 0, 5);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  thread(0);
  pthread_join(t, 0);
  assert(word.value == 0);
  return 0;
}
