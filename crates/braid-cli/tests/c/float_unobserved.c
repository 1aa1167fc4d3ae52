// expect: safe
// Floats on which nothing depends cost nothing: integers stay mathematical.
// options: --ints math
#include <assert.h>
#include <stdio.h>

double mean;

int main(void) {
  int sum = 0;
  for (int i = 1; i <= 4; i++) sum += i;
  mean = sum / 4.0;
  printf("%f\n", mean);
  assert(sum == 10);
}
