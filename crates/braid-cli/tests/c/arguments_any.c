// expect: safe
// The program is started with any arguments.
// expect -D WRONG --args "prog 2": unsafe
// The program is started with these arguments.
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
#include <string.h>
#include <pthread.h>
int count;
void *run(void *a) { __sync_fetch_and_add(&count, 1); return 0; }
int main(int argc, char **argv) {
  if (argc != 2) { fprintf(stderr, "usage: %s n\n", argv[0]); exit(1); }
  int n = atoi(argv[1]);
  if (n < 1 || n > 2) return 1;
  pthread_t t[2];
  for (int i = 0; i < n; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < n; i++) pthread_join(t[i], 0);
  assert(count == n);
#ifdef WRONG
  assert(strcmp(argv[1], "2"));
#endif
}
