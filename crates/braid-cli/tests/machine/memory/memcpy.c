// property: valid-deref
// says: access outside of a variable
// More is read than there is.
#include <string.h>

int main(void) {
  int from[4] = {1}, to[5];
  memcpy(to, from, sizeof to);
  return to[0];
}
