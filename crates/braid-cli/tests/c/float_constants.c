// expect: safe
// Constant expressions: sizes, enumerations, cases, initial values.
#include <assert.h>

enum { THREE = (int)3.7 };
int table[(int)2.9 + 1];
static float squares[] = { 0, 1, 4.0, 9.0L };
struct point { float x, y; int n; } origin = { .y = 2.5, .n = 1.5 };

int main(void) {
  assert(THREE == 3 && sizeof table == 3 * sizeof(int));
  assert(squares[3] == 9 && origin.x == 0 && origin.y == 2.5 && origin.n == 1);
  switch (THREE) {
  case (int)3.2: return 0;
  }
  assert(0);
}
