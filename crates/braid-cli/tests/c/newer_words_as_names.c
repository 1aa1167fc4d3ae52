// expect: safe
// Before 2023 they were names like others.
#include <assert.h>

typedef enum { false, true } bool;
typedef struct { bool x; } flag;
int main(void) {
  int constexpr = 3;
  flag v = {true};
  bool nullptr = false;
  assert(v.x == 1 && constexpr * 2 == 6 && nullptr == 0 && sizeof(bool) == 4);
  return 0;
}
