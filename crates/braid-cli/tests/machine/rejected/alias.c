// property: unreach-call
// Two names for one variable: one thread counts by each.
#include <assert.h>
#include <pthread.h>

int counter;
extern int other_name __asm__("counter");

void *by_name(void *unused) {
  counter++;
  return 0;
}

void *by_other_name(void *unused) {
  other_name++;
  return 0;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, by_name, 0);
  pthread_create(&u, 0, by_other_name, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(counter == 2);
}
