// A table is built by the first thread that needs it, once.
// expect: safe
#include "common.h"
#include "common_threads.h"

#define SIZE 5

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int *squares;
static int built = 0;

static void build_table(void) {
  squares = Malloc(SIZE * sizeof(int));
  for (int i = 0; i < SIZE; i++)
    squares[i] = i * i;
  built++;
}

int square(int n) {
  pthread_once(&once, build_table);
  return squares[n];
}

void *worker(void *arg) {
  int n = *(int *)arg;
  assert(square(n) == n * n);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t t[3];
  int n[3] = {2, 3, 4};
  for (int i = 0; i < 3; i++)
    Pthread_create(&t[i], NULL, worker, &n[i]);
  for (int i = 0; i < 3; i++)
    Pthread_join(t[i], NULL);
  printf("built %d time(s)\n", built);
  assert(built == 1);
  free(squares);
  return 0;
}
