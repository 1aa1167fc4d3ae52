// expect: unknown (
// What the program reads could be what it wrote itself.
#include <assert.h>
#include <stdio.h>
int main(void) {
  FILE *out = fopen("data", "w");
  if (out == NULL) return 1;
  fputs("x", out);
  fclose(out);
  FILE *in = fopen("data", "r");
  if (in == NULL) return 1;
  assert(fgetc(in) == 'x');
  return 0;
}
