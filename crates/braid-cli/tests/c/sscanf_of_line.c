// expect: safe
// What is read from a line fits into its width and the end.
// expect -D WRONG --property valid-deref: unsafe
// What is wrong before is found.
// expect -D KNOWN: safe
// What is in the line is known.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct alarm { int seconds; char text[9]; };
void *ring(void *p) {
  struct alarm *a = p;
  char first = a->text[0];
  free(a);
  return 0;
}
int main(void) {
  char line[16];
  pthread_t t;
#ifdef KNOWN
  int n = 0;
  assert(sscanf("7", "%d", &n) == 1);
  return 0;
#endif
#ifdef WRONG
  line[sizeof line] = 0;
#endif
  if (fgets(line, sizeof line, stdin) == 0) return 0;
  struct alarm *a = malloc(sizeof *a);
  int read = sscanf(line, "%d %8[^\n]", &a->seconds, a->text);
  assert(read <= 2);
  if (read < 2) { free(a); return 1; }
  pthread_create(&t, 0, ring, a);
  pthread_join(t, 0);
  return 0;
}
