// property: progress
// A ticket lock whose owner does not call the next number.
#include <pthread.h>
#include <stdatomic.h>
atomic_int next, serving;
int count;
void *worker(void *a) {
  int mine = atomic_fetch_add(&next, 1);
  while (serving != mine)
    ;
  count++;
#ifdef BUG
  if (count == 1)
#endif
    serving = serving + 1;
  return 0;
}
int main(void) {
  pthread_t s, t, u;
  pthread_create(&s, 0, worker, 0);
  pthread_create(&t, 0, worker, 0);
  pthread_create(&u, 0, worker, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
