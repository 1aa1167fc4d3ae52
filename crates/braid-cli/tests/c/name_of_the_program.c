// expect --property all: safe
// A program has a name, whoever starts it.
// expect --property all -D WRONG: unsafe
// Nobody promises an argument.
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s n\n", argv[0]);
#ifdef WRONG
    printf("%c\n", argv[1][0]);
#endif
    exit(1);
  }
  return argv[1][0] == 'n';
}
