// expect: unsafe
// Two threads that take words with strtok get in each other's way.
#include <assert.h>
#include <pthread.h>
#include <string.h>
char one[] = "a b", two[] = "c d";
void *t(void *p) {
  strtok(two, " ");
  return 0;
}
int main(void) {
  pthread_t h;
  pthread_create(&h, 0, t, 0);
  strtok(one, " ");
  char *word = strtok(0, " ");
  assert(word == one + 2);
  return 0;
}
