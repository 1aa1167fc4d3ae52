// property: unreach-call
// qsort calls back; the comparator counts without a lock.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int calls;
int expected;
int by_value(const void *a, const void *b) {
  calls++;
  return *(const int *)a - *(const int *)b;
}
void *sort(void *numbers) {
  qsort(numbers, 2, sizeof(int), by_value);
  return 0;
}
int main(void) {
  int first[2] = {2, 1}, second[2] = {4, 3};
  pthread_t t;
  sort(first);
  expected = 3 * calls;
  pthread_create(&t, 0, sort, second);
  sort(first);
  pthread_join(t, 0);
  assert(calls == expected);
}
