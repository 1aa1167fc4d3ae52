// property: valid-free
#include <pthread.h>
#include <stdlib.h>
int main(void) {
#ifdef BUG
  char *s = "hello";
#else
  char *s = malloc(6);
#endif
  free(s);
}
