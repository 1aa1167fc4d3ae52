// expect: unsafe
// It may be missing while another is there.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  char *home = getenv("HOME"), *user = getenv("USER");
  if (user) assert(home != 0 || user[0] != 'x');
  return 0;
}
