// property: no-deadlock
// An error is handled with longjmp, and the lock stays taken.
#include <pthread.h>
#include <setjmp.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int stock = 1;
static void take(jmp_buf *failed) {
  pthread_mutex_lock(&m);
  if (stock == 0) longjmp(*failed, 1);
  stock--;
  pthread_mutex_unlock(&m);
}
void *buyer(void *unused) {
  jmp_buf failed;
  if (setjmp(failed) == 0) take(&failed);
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, buyer, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
