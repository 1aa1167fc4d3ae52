// property: no-undefined
#include <threads.h>
mtx_t lock;
int main(void) {
  mtx_init(&lock, mtx_plain);
  mtx_lock(&lock);
#ifndef BUG
  mtx_unlock(&lock);
#endif
  mtx_destroy(&lock);
  return 0;
}
