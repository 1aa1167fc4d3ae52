// property: valid-deref
#include <string.h>
int main(void) {
#ifdef BUG
  char name[5];
#else
  char name[6];
#endif
  strcpy(name, "braid");
  return name[0];
}
