// expect: safe
// options: --property no-data-race
// Two threads write different bytes of one object.
#include <pthread.h>
union word { int whole; char bytes[4]; } w;
static void *first(void *a) { w.bytes[0] = 1; return 0; }
static void *second(void *a) { w.bytes[1] = 2; return 0; }
int main(void) {
  pthread_t s, t;
  w.whole = 0;
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return w.whole != 0x201;
}
