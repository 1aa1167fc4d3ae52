// property: unreach-call
// Two threads write to one buffer.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
char line[32];
void *print(void *number) {
  snprintf(line, sizeof line, "%.2f", *(double *)number);
  double back = strtod(line, NULL);
  return (void *)(long)(back == *(double *)number);
}
int main(void) {
  double first = 1.25, second = 2.5;
  pthread_t t;
  pthread_create(&t, 0, print, &second);
  void *right = print(&first);
  pthread_join(t, 0);
  assert(right);
}
