// property: progress
// Spinlocks taken in different orders.
#include <pthread.h>
#include <stdatomic.h>
atomic_flag a = ATOMIC_FLAG_INIT, b = ATOMIC_FLAG_INIT;
int x;
static void one(void) { while (atomic_flag_test_and_set(&a)); }
static void two(void) { while (atomic_flag_test_and_set(&b)); }
void *left(void *arg) {
  one();
  two();
  x++;
  atomic_flag_clear(&b);
  atomic_flag_clear(&a);
  return 0;
}
void *right(void *arg) {
#ifdef BUG
  two();
  one();
#else
  one();
  two();
#endif
  x++;
  atomic_flag_clear(&a);
  atomic_flag_clear(&b);
  return 0;
}
int main(void) {
  pthread_t l, r;
  pthread_create(&l, 0, left, 0);
  pthread_create(&r, 0, right, 0);
  pthread_join(l, 0);
  pthread_join(r, 0);
  return 0;
}
