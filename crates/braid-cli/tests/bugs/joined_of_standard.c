// property: no-undefined
// The threads of C itself.
#include <threads.h>
int work(void *argument) { return 0; }
int main(void) {
  thrd_t worker;
  thrd_create(&worker, work, 0);
#ifdef BUG
  thrd_detach(worker);
#endif
  thrd_join(worker, 0);
}
