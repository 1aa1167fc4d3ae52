// What is copied has an end.
// expect: unsafe
#include <assert.h>
#include <string.h>

int main(void) {
  char a[8] = "zzzzzzz";
  strcpy(a, "ab");
  assert(a[2] == 'z' || a[3] != 'z');
}
