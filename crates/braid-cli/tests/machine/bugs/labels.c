// property: unreach-call
// A small interpreter with a table of labels.
#include <assert.h>
#include <pthread.h>
int value;
void *run(void *program) {
  static void *const table[] = {&&stop, &&increment, &&twice};
  const char *at = program;
  goto *table[(int)*at];
increment:
  value++;
  goto *table[(int)*++at];
twice:
  value *= 2;
  goto *table[(int)*++at];
stop:
  return 0;
}
int main(void) {
  char first[] = {1, 2, 0}, second[] = {1, 0};
  pthread_t t;
  pthread_create(&t, 0, run, second);
  run(first);
  pthread_join(t, 0);
  assert(value == 3 || value == 4);
}
