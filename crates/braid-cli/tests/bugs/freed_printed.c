// property: valid-deref
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *name = strdup("name");
#ifdef BUG
  free(name);
  printf("%s\n", name);
#else
  printf("%s %.2s\n", name, name);
  free(name);
#endif
  return 0;
}
