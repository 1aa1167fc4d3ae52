// property: valid-deref
// says: access outside of a variable
// There is no room for the end of the text.
#include <string.h>

int main(void) {
  char word[4];
  strcpy(word, "four");
  return word[0];
}
