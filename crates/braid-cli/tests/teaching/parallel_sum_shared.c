// Each thread adds up its part of an array into the same variable. Usage: sum <threads>
// expect: unsafe
// options: --args "sum 2"
#include "common.h"
#include "common_threads.h"

#define SIZE 4

int numbers[SIZE] = {1, 2, 3, 4};
int threads;
long total = 0;

void *add_up(void *arg) {
  long id = (long)arg;
  int chunk = SIZE / threads;
  for (int i = id * chunk; i < (id + 1) * chunk; i++)
    total += numbers[i];
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t *t;
  if (argc < 2) {
    fprintf(stderr, "usage: %s threads\n", argv[0]);
    exit(1);
  }
  threads = atoi(argv[1]);
  if (threads < 1 || SIZE % threads != 0) {
    fprintf(stderr, "%s: %d numbers cannot be shared by %d threads\n", argv[0], SIZE, threads);
    exit(1);
  }
  t = Malloc(threads * sizeof(pthread_t));
  for (long i = 0; i < threads; i++)
    Pthread_create(&t[i], NULL, add_up, (void *)i);
  for (int i = 0; i < threads; i++)
    Pthread_join(t[i], NULL);
  printf("total: %ld\n", total);
  assert(total == 10);
  free(t);
  return 0;
}
