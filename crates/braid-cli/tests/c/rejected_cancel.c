// expect: unknown (`pthread_cancel` is not supported
// Functions of the thread library always mean something.
#include "model.h"

int pthread_cancel(pthread_t);
void *run(void *a) { return 0; }
int main() {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_cancel(t);
}
