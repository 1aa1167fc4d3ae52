// property: valid-free
// says: block freed twice
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *release(void *unused) {
  if (block) {
    free(block);
    block = NULL;
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  block = malloc(sizeof *block);
  pthread_create(&a, NULL, release, NULL);
  pthread_create(&b, NULL, release, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
