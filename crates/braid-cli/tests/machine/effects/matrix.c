// An array of two dimensions, and the result of the function beside it.
#include <assert.h>
#include <pthread.h>

int solve(int rows, int grid[6][7]);
int grid[6][7];

void *worker(void *unused) {
  if (solve(6, grid) == 2) assert(grid[4][5] != 77);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
}
