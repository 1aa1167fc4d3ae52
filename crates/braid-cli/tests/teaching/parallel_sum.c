// Each thread adds up its part of an array into a result of its own. Usage: sum [-t threads] [-v]
// expect: safe
// options: --args "sum -v -t 3"
#include <string.h>
#include "common.h"
#include "common_threads.h"

#define SIZE 7

typedef struct {
  int *from;
  int count;
  long sum;
} part_t;

int numbers[SIZE] = {3, 1, 4, 1, 5, 9, 2};
int verbose = 0;

void usage(char *name) {
  fprintf(stderr, "usage: %s [-t threads] [-v]\n", name);
  exit(2);
}

void *add_up(void *arg) {
  part_t *p = arg;
  p->sum = 0;
  for (int i = 0; i < p->count; i++)
    p->sum += p->from[i];
  if (verbose)
    printf("%d numbers: %ld\n", p->count, p->sum);
  return NULL;
}

int main(int argc, char *argv[]) {
  int i, threads = 2, start = 0;
  long total = 0;
  for (i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-v") == 0)
      verbose = 1;
    else if (strcmp(argv[i], "-t") == 0 && i + 1 < argc)
      threads = atoi(argv[++i]);
    else
      usage(argv[0]);
  }
  if (threads < 1 || threads > 4)
    usage(argv[0]);
  pthread_t t[4];
  part_t parts[4];
  for (i = 0; i < threads; i++) {
    parts[i].from = numbers + start;
    parts[i].count = i == threads - 1 ? SIZE - start : SIZE / threads;
    start += parts[i].count;
    Pthread_create(&t[i], NULL, add_up, &parts[i]);
  }
  for (i = 0; i < threads; i++) {
    Pthread_join(t[i], NULL);
    total += parts[i].sum;
  }
  printf("total: %ld\n", total);
  assert(total == 25);
  return 0;
}
