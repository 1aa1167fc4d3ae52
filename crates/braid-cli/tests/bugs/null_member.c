// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
struct inner { int v; };
struct outer { struct inner *in; } o;
struct inner in;
int main(void) {
#ifndef BUG
  o.in = &in;
#endif
  return o.in->v;
}
