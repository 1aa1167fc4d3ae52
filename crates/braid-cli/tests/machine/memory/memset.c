// property: valid-deref
// says: access outside of a variable
#include <string.h>

char buffer[7];

int main(void) {
  memset(buffer, 1, sizeof buffer + 1);
  return buffer[0];
}
