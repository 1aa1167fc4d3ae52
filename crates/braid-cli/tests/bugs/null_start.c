// property: valid-deref
#include <pthread.h>
void *run(void *p) { return 0; }
int main(void) {
  pthread_t t;
#ifdef BUG
  pthread_create(&t, 0, 0, 0);
#else
  pthread_create(&t, 0, run, 0);
#endif
  pthread_join(t, 0);
  return 0;
}
