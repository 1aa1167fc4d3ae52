// property: valid-deref
// says: use of a null pointer
// The pointer is looked at twice.
#include <pthread.h>
#include <stddef.h>

static int value;
static int *shared = &value;

static void *user(void *unused) {
  if (shared) *shared = 3;
  return NULL;
}

static void *resetter(void *unused) {
  shared = NULL;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, user, NULL);
  pthread_create(&b, NULL, resetter, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
