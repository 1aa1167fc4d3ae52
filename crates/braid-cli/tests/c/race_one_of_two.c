// expect: safe
// options: --property no-data-race
// A pointer reads one of two variables; only the other one is written atomically by the thread.
#include <pthread.h>

int quiet, busy, choice;

void *set(void *unused) {
  __atomic_store_n(&busy, 1, 5);
  return 0;
}

int main(void) {
  pthread_t setter;
  int *pointer = &busy;
  if (choice == 0)
    pointer = &quiet;
  pthread_create(&setter, 0, set, 0);
  return *pointer;
}
