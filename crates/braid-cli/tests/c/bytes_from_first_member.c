// expect: safe
// A pointer to a struct that becomes one to characters goes through all members, not only through an array that is the first.
#include "model.h"
#include <string.h>

struct record { char name[4]; int number; };
static void clear(void *at, unsigned size) {
  char *bytes = at;
  for (unsigned i = 0; i < size; i++) bytes[i] = 0;
}
int main() {
  struct record a = {"abc", 0x01010101}, b = {"abc", 0x01010102}, c = {"abc", 3}, d = {"abc", 4};
  ((char *)&a)[4] = 2;
  check(a.number == 0x01010102 && memcmp(&a, &b, sizeof a) == 0 && memcmp(&a, &c, sizeof a) != 0);
  memset((char *)&d + 4, 0, 4);
  check(d.number == 0 && d.name[0] == 'a');
  clear(&b, sizeof b);
  check(b.number == 0 && b.name[2] == 0);
  char *third = (char *)&c + 2;
  check(*third == 'c' && ((struct record *)(third - 2))->number == 3);
  third[2] = 5;
  check(c.number == 5);
  struct { int first[2], last; } e = {{1, 2}, 3};
  check(*((int *)&e + 2) == 3);
}
