// property: valid-memcleanup
#include <pthread.h>
#include <stdlib.h>
int *table[4];
int main(void) {
  for (int i = 0; i < 4; i++) table[i] = malloc(4);
#ifdef BUG
  for (int i = 1; i < 4; i++) free(table[i]);
#else
  for (int i = 0; i < 4; i++) free(table[i]);
#endif
}
