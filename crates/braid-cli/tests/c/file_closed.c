// Nobody uses a file that was closed.
// expect: safe
// expect -D TWICE: unsafe (no-undefined)
// expect -D AFTER: unsafe (no-undefined)
// expect -D STANDARD: unsafe (no-undefined)
// options: --property all
#include <stdio.h>
int main(void) {
  char text[8];
  FILE *one = fopen("one", "r");
  if (one) {
    if (fgets(text, sizeof text, one)) printf("%s", text);
    fclose(one);
  }
  one = fopen("two", "r");
  if (one) {
    if (getc(one) == EOF) puts("empty");
    fclose(one);
#ifdef TWICE
    fclose(one);
#endif
  }
#ifdef STANDARD
  fclose(stdin);
  getc(stdin);
#endif
  FILE *two = fopen("three", "w");
  if (two) {
    fprintf(two, "end\n");
    fclose(two);
#ifdef AFTER
    fputc('x', two);
#endif
  }
  return 0;
}
