// expect: safe
// options: --property valid-deref
// The texts of arguments are read up to their ends.
// expect -D WRONG: unsafe
// There need not be so many.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void usage(const char *name) {
  fprintf(stderr, "usage: %s word\n", name);
  exit(1);
}
void *run(void *word) {
  printf("%s\n", (char *)word);
  return 0;
}
int main(int argc, char **argv) {
  pthread_t t;
#ifndef WRONG
  if (argc != 2) usage(argv[0]);
#endif
  pthread_create(&t, 0, run, argv[1]);
  pthread_join(t, 0);
  return 0;
}
