// expect: unsafe
// What has no room is not written.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[4];
  snprintf(text, sizeof text, "%d", 12345);
  assert(strlen(text) == 5);
  return 0;
}
