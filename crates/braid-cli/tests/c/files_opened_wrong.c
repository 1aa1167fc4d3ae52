// expect: unsafe
#include <assert.h>
#include <stdio.h>
int main(void) {
  char header[4];
  FILE *in = fopen("in.txt", "r");
  if (in == NULL) return 1;
  size_t n = fread(header, 1, 4, in);
  assert(n == 4);
  return 0;
}
