// expect: unsafe
// A word of input has more than one character.
#include <assert.h>
#include <stdio.h>
int main(void) {
  char word[8] = {0};
  scanf("%7s", word);
  assert(word[1] != 'a');
  return 0;
}
