// property: unreach-call
// A spin lock that looks first and takes it then; the machine's own instruction only gives it back.
#include <assert.h>
#include <pthread.h>
volatile int taken;
int inside, most;
static void barrier(void) {
#if defined __x86_64__
  __asm__ volatile("pause" ::: "memory");
#else
  __asm__ volatile("nop" ::: "memory");
#endif
}
void *enter(void *unused) {
  while (taken) barrier();
  taken = 1;
  if (++inside > most) most = inside;
  inside--;
  barrier();
  taken = 0;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, enter, 0);
  enter(0);
  pthread_join(t, 0);
  assert(most == 1);
}
