// expect: unsafe
// The second operand is read after the first one was.
#include "model.h"

int ready, data = 1;
void *writer(void *a) { ready = 1; data = 0; return 0; }
int main() {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (ready == 0 && data == 0) reach_error();
}
