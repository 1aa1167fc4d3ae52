// property: no-crash
// A function that need not be there is looked for, and called by another thread anyway.
#include <pthread.h>

extern void plugin(int) __attribute__((weak));
int has_plugin, events;

void *dispatch(void *unused) {
  if (has_plugin) plugin(events);
  return 0;
}

int main(void) {
  pthread_t t;
  has_plugin = 1;
  pthread_create(&t, 0, dispatch, 0);
  has_plugin = plugin != 0;
  pthread_join(t, 0);
}
