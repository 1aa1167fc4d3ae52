// property: progress
// Mutual exclusion without a turn: both may wait for each other.
#include <pthread.h>
#include <stdatomic.h>
atomic_int wants[2], turn, inside;
void *left(void *a) {
  wants[0] = 1;
#ifdef BUG
  while (wants[1])
    ;
#else
  turn = 1;
  while (wants[1] && turn == 1)
    ;
#endif
  inside++;
  wants[0] = 0;
  return 0;
}
void *right(void *a) {
  wants[1] = 1;
#ifdef BUG
  while (wants[0])
    ;
#else
  turn = 0;
  while (wants[0] && turn == 0)
    ;
#endif
  inside++;
  wants[1] = 0;
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
