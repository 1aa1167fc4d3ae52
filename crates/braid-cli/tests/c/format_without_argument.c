// A format asks for no more arguments than there are, and for none of another kind.
// expect: safe
// expect -D MISSING: unsafe (no-undefined)
// expect -D NUMBER: unsafe (no-undefined)
// expect -D FLOAT: unsafe (no-undefined)
// expect -D TEXT: unsafe (no-undefined)
// options: --property all
#include <stdio.h>
enum color { RED, GREEN };
int main(void) {
  float half = 0.5f;
  char letter = 'a';
  _Bool yes = 1;
  enum color color = GREEN;
  printf("%s %d %c %5.2f %lu %*d %.*s %x %d %d%%\n", "text", -1, letter, half, sizeof half, 3, 7, 2, "abc", 255u, yes, color);
  fprintf(stderr, "%d\n", letter, 5);
#ifdef MISSING
  printf("%s %d\n", "text");
#endif
#ifdef NUMBER
  printf("%d\n", half);
#endif
#ifdef FLOAT
  fprintf(stderr, "%f\n", 1);
#endif
#ifdef TEXT
  printf("%s\n", 42);
#endif
  return 0;
}
