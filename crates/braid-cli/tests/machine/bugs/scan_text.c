// property: unreach-call
// One thread formats a pair of numbers, the other one reads it back too early.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

char text[32] = "0 0";

void *writer(void *unused) {
  sprintf(text, "%d", 7);
  sprintf(text, "%d %d", 7, 7);
  return 0;
}

int main(void) {
  pthread_t t;
  int a, b;
  pthread_create(&t, 0, writer, 0);
  int count = sscanf(text, "%d %d", &a, &b);
  assert(count == 2 && a == b);
  pthread_join(t, 0);
}
