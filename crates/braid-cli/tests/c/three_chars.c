// expect: safe
// `char`, `signed char` and `unsigned char` are three types, with the values of two.
#include <assert.h>
signed char a; char b; unsigned char c = 200; 
typedef char T;
int main(void) {
  assert(_Generic(a, char: 1, signed char: 2, unsigned char: 3) == 2);
  assert(_Generic(b, char: 1, signed char: 2, unsigned char: 3) == 1);
  assert(_Generic(c, char: 1, signed char: 2, unsigned char: 3) == 3);
  assert(_Generic((T)0, char: 1, default: 2) == 1);
  assert(_Generic("x", char *: 1, signed char *: 2) == 1);
  assert(_Generic(+b, int: 1, default: 2) == 1);
  assert(_Generic('a', int: 1, default: 2) == 1);
  assert(__builtin_types_compatible_p(char, signed char) == 0);
  assert(__builtin_types_compatible_p(char, T));
  signed char s[4] = "abc";
  unsigned char u[] = "xy";
  char *p = (char *)s; signed char *q = s;
  assert(p[1] == 'b' && q[2] == 'c' && u[1] == 'y' && sizeof u == 3);
  p[0] = -1; assert(s[0] == -1); c = (unsigned char)p[0]; assert(c == 255);
  b = c; assert(b == -1);
  return 0;
}
