/* An array that two threads fill, each its half. */
#include <assert.h>
#include <pthread.h>

#ifndef SIZE
#define SIZE 5000
#endif

static int cells[SIZE];

static void *low(void *unused) {
  for (int i = 0; i < SIZE / 2; i++)
    cells[i] = 2 * i;
  return 0;
}

static void *high(void *unused) {
  for (int i = SIZE / 2; i < SIZE; i++)
    if (i != FORGOTTEN)
      cells[i] = 2 * i;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, low, 0);
  pthread_create(&b, 0, high, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  for (int i = 0; i < SIZE; i++)
    assert(cells[i] == 2 * i);
}
