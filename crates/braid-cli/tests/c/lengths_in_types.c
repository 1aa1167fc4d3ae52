// expect: safe
// Types that mention lengths: parameters, pointers, names.
#include <assert.h>
#include <stdlib.h>

int sum(int n, int m, int a[n][m]) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) sum += a[i][j];
  return sum;
}

int last(int n, int (*a)[n]) { return sizeof *a / sizeof **a * 10 + (*a)[n - 1]; }

int main(void) {
  int fixed[2][3] = {{1, 2, 3}, {4, 5, 6}};
  assert(sum(2, 3, fixed) == 21);
  assert(last(3, &fixed[1]) == 36);

  int n = 2, m = 3;
  int own[n][m];
  n = 7;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < m; j++) own[i][j] = fixed[i][j] + 1;
  assert(sizeof own == 24 && sizeof own[0] == 12 && sizeof own[0][0] == 4);
  assert(sum(2, m, own) == 27);
  int *flat = &own[0][0];
  assert(flat[4] == own[1][1] && flat[4] == 6);

  typedef int row[m];
  m = 9;
  row(*rows) = malloc(2 * sizeof(row));
  assert(sizeof(row) == 12 && sizeof(int[m]) == 36);
  rows[1][2] = 8;
  row *second = rows;
  second++;
  assert((*second)[2] == 8 && second - rows == 1 && ((int(*)[n])rows)[0][5] == 8);
  int half[2][m];
  half[1][0] = 5;
  assert(sizeof half == 72 && ((int *)half)[9] == 5);
  free(rows);
}
