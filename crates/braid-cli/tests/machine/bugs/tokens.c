// property: unreach-call
// strtok keeps its place in one variable for all threads.
#include <assert.h>
#include <pthread.h>
#include <string.h>
void *count(void *text) {
  long words = 0;
  for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) words++;
  return (void *)words;
}
int main(void) {
  char first[] = "a b c", second[] = "d e f g";
  pthread_t t;
  void *there;
  pthread_create(&t, 0, count, second);
  long here = (long)count(first);
  pthread_join(t, &there);
  assert(here == 3 && (long)there == 4);
}
