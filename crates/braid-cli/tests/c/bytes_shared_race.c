// expect: unsafe
// options: --property no-data-race
// One thread writes the whole, and another one a byte of it.
#include <pthread.h>
union word { int whole; char bytes[4]; } w;
static void *first(void *a) { w.bytes[3] = 1; return 0; }
static void *second(void *a) { w.whole = 2; return 0; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
