// expect: safe
// options: --property no-data-race
// Bit-fields with one of no width, or another member, between them are memory locations of their own; so are those of two structs.
// expect -D WRONG: unsafe
// Neighbours are one location, also across units.
#include <pthread.h>
struct {
  unsigned a : 20;
#ifndef WRONG
  unsigned : 0;
#endif
  unsigned b : 20;
  char between;
  unsigned c : 12;
  struct { unsigned d : 4; };
} s;
static void *one(void *unused) {
  s.a = 1;
  s.c = 2;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  s.b = 3;
  s.d = 4;
  pthread_join(t, 0);
  return 0;
}
