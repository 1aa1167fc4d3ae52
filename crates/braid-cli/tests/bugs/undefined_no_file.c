// property: no-undefined
#include <pthread.h>
#include <stdio.h>
void *count(void *name) {
  FILE *file = fopen(name, "r");
#ifndef BUG
  if (!file) return 0;
#endif
  int lines = 0, c;
  while ((c = getc(file)) != EOF) lines = c == '\n';
  fclose(file);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, count, "a");
  pthread_join(t, 0);
  return 0;
}
