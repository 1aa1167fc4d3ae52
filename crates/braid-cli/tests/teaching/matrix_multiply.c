// A product of matrices, one thread for each row. Usage: matmul <seed>
// expect: safe
// options: --args "matmul 7"
#include "common.h"
#include "common_threads.h"

#define N 2

int a[N][N], b[N][N], c[N][N];

void *row(void *arg) {
  int i = *(int *)arg;
  for (int j = 0; j < N; j++) {
    int sum = 0;
    for (int k = 0; k < N; k++)
      sum += a[i][k] * b[k][j];
    c[i][j] = sum;
  }
  free(arg);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t t[N];
  int seed;
  if (argc != 2) {
    fprintf(stderr, "usage: %s seed\n", argv[0]);
    exit(1);
  }
  seed = atoi(argv[1]);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = (seed + 3 * i + j) % 10;
      b[i][j] = (seed + i + 5 * j) % 10;
    }
  for (int i = 0; i < N; i++) {
    int *arg = Malloc(sizeof(int));
    *arg = i;
    Pthread_create(&t[i], NULL, row, arg);
  }
  for (int i = 0; i < N; i++)
    Pthread_join(t[i], NULL);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      int expected = 0;
      for (int k = 0; k < N; k++)
        expected += a[i][k] * b[k][j];
      printf("%4d", c[i][j]);
      assert(c[i][j] == expected);
    }
    printf("\n");
  }
  return 0;
}
