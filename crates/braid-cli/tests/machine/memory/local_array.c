// property: valid-deref
// says: access outside of a variable
// A thread fills an array of main, which is too small.
#include <pthread.h>

static void *fill(void *argument) {
  int *at = argument;
  for (int i = 0; i < 4; i++) at[i] = i;
  return 0;
}

int main(void) {
  int small[3] = {0};
  pthread_t thread;
  pthread_create(&thread, 0, fill, small);
  pthread_join(thread, 0);
  return small[0];
}
