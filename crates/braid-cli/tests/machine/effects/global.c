// extern: refresh=anything
// A variable that the function gets no pointer to.
#include <assert.h>
#include <pthread.h>

void refresh(void);
int state;
static short mode;

void *worker(void *unused) {
  refresh();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  assert(!(state == 12345 && mode == -7));
}
