// property: valid-deref
#include <pthread.h>
_Thread_local int own;
int *kept, copy;
void *work(void *unused) {
  own = 3;
#ifdef BUG
  kept = &own;
#else
  copy = own;
  kept = &copy;
#endif
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return *kept - 3;
}
