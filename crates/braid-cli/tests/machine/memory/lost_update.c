// property: valid-deref
// says: index outside of an array
// Only if one of the two steps of the counter is lost, which takes a switch inside of one statement.
#include <pthread.h>
#include <stddef.h>

static int count, table[3];

static void *step(void *unused) {
  count = count + 1;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, step, NULL);
  pthread_create(&b, NULL, step, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return table[(2 - count) * 3];
}
