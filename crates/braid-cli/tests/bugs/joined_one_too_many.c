// property: no-undefined
// A loop that joins one handle more than there are threads.
#include <pthread.h>
enum { THREADS = 3 };
pthread_t workers[THREADS + 1];
void *work(void *argument) { return argument; }
int main(void) {
  for (int i = 0; i < THREADS; i++) pthread_create(&workers[i], 0, work, 0);
#ifdef BUG
  for (int i = 0; i <= THREADS; i++) pthread_join(workers[i], 0);
#else
  for (int i = 0; i < THREADS; i++) pthread_join(workers[i], 0);
#endif
}
