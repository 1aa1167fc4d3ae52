// property: no-data-race
// An array at the end of a struct, with initial values.
#include <pthread.h>

struct list {
  int count;
  int items[];
} list = {3, {10, 20, 30}};

void *rotate(void *unused) {
  int first = list.items[0];
  for (int i = 0; i + 1 < list.count; i++) list.items[i] = list.items[i + 1];
  list.items[list.count - 1] = first;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, rotate, 0);
  int last = list.items[list.count - 1];
  pthread_join(t, 0);
  return last == 0;
}
