// property: no-crash
// Both threads think that they are the last one.
#include <pthread.h>
#include <stdlib.h>
struct block { int users; double value; } *block;
void *leave(void *unused) {
  block->users--;
  if (block->users == 0 && block->value > 0.5) free(block);
  return 0;
}
int main(void) {
  pthread_t t;
  block = malloc(sizeof *block);
  block->users = 2, block->value = 1.0;
  pthread_create(&t, 0, leave, 0);
  leave(0);
  pthread_join(t, 0);
}
