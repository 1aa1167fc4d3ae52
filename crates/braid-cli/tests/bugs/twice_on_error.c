// property: valid-free
#include <pthread.h>
#include <stdlib.h>
int work(char *buffer) {
  if (rand()) {
#ifdef BUG
    free(buffer);
#endif
    return -1;
  }
  return 0;
}
int main(void) {
  char *buffer = malloc(16);
  int r = work(buffer);
  free(buffer);
  return r;
}
