// property: valid-deref
#include <pthread.h>
static void *run(void *unused) { return 0; }
int main(void) {
  pthread_t threads[2];
#ifdef BUG
  for (int i = 0; i <= 2; i++) pthread_create(&threads[i], 0, run, 0);
#else
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, run, 0);
#endif
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
