// expect: safe
// Variables with static storage.
#include "model.h"

struct s { int a, b[3]; char c; } g = {1, {2, [2] = 4}, 'x'};
int zero, array[100], *pointer = &g.b[2];
const char text[] = "ab";
_Bool flag = 7;
int count(void) { static int n = 5; return n++; }
enum { A, B = 10, C };
int main() {
  check(g.a == 1 && g.b[0] == 2 && g.b[1] == 0 && g.b[2] == 4 && g.c == 120);
  check(zero == 0 && array[__VERIFIER_nondet_uint() % 100] == 0 && *pointer == 4);
  check(text[0] == 'a' && text[2] == 0 && flag == 1 && C == 11);
  check(count() == 5 && count() == 6);
}
