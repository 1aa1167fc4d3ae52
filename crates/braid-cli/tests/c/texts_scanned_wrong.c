// expect: unsafe
// The second word ends before the c.
#include <assert.h>
#include <stdio.h>

int main(void) {
  char word[4];
  assert(sscanf("abcd", "%3s", word) == 1 && word[2] == 'c');
  assert(sscanf("abcd", "%[^c]d", word) == 1 && word[2] != 0);
}
