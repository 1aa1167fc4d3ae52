// The sum of a table, half by half.
//
// The bug: the sum is an `int`, and the numbers may be large. Braid looks at every content of the table.
// expect: safe
// expect -D BUG: unsafe (no-overflow)
#include <pthread.h>
#include <stdlib.h>

#define LENGTH 4

#ifdef BUG
typedef int sum;
#else
typedef long long sum;
#endif

static int table[LENGTH];
static sum halves[2];

static void *lower_half(void *unused) {
  (void)unused;
  for (int i = 0; i < LENGTH / 2; i++) halves[0] += table[i];
  return NULL;
}

static void *upper_half(void *unused) {
  (void)unused;
  for (int i = LENGTH / 2; i < LENGTH; i++) halves[1] += table[i];
  return NULL;
}

int main(void) {
  for (int i = 0; i < LENGTH; i++) table[i] = rand();
  pthread_t lower, upper;
  pthread_create(&lower, NULL, lower_half, NULL);
  pthread_create(&upper, NULL, upper_half, NULL);
  pthread_join(lower, NULL);
  pthread_join(upper, NULL);
  return halves[0] + halves[1] > 0 ? 0 : 1;
}
