// property: valid-memcleanup
// says: The block allocated at
// Who comes last frees the block. A lost step leaves it to nobody.
#include <pthread.h>
#include <stdlib.h>

static int users = 2;
static int *block;

static void *use(void *unused) {
  users = users - 1;
  if (users == 0) free(block);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  block = malloc(sizeof *block);
  pthread_create(&a, NULL, use, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
