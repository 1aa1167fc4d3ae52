// A counter without a lock: compare-and-swap until nobody came in between. Usage: cas <loops>
// expect: safe
// options: --args "cas 3"
#include "common.h"
#include "common_threads.h"

int value = 0;
int loops;

static int compare_and_swap(int *ptr, int expected, int desired) {
  return __sync_bool_compare_and_swap(ptr, expected, desired);
}

void atomic_increment(int *ptr, int amount) {
  int old;
  do {
    old = __atomic_load_n(ptr, __ATOMIC_SEQ_CST);
  } while (!compare_and_swap(ptr, old, old + amount));
}

void *worker(void *arg) {
  for (int i = 0; i < loops; i++)
    atomic_increment(&value, 2);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t a, b;
  double start, end;
  if (argc != 2) {
    fprintf(stderr, "usage: %s loops\n", argv[0]);
    exit(1);
  }
  loops = atoi(argv[1]);
  start = get_time();
  Pthread_create(&a, NULL, worker, NULL);
  Pthread_create(&b, NULL, worker, NULL);
  Pthread_join(a, NULL);
  Pthread_join(b, NULL);
  end = get_time();
  printf("value %d after %.2f seconds\n", value, end - start);
  assert(value == 4 * loops);
  return 0;
}
