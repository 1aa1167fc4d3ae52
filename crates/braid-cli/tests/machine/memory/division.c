// property: no-undefined
// says: division.c:18: division by zero
#include <pthread.h>
#include <stddef.h>

static int divisor = 1;

static void *clear(void *unused) {
  divisor = 0;
  return NULL;
}

int main(void) {
  pthread_t thread;
  int quotient = 0;
  pthread_create(&thread, NULL, clear, NULL);
  if (divisor != 0)
    quotient = 12 / divisor;
  pthread_join(thread, NULL);
  return quotient;
}
