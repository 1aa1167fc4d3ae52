// expect: safe
// Words that C has since 2023.
#include <assert.h>

static int choose(int x) {
  if (x) [[likely]] return x;
  else [[unlikely]] return 1;
}
int main(void) {
  const int k = 2;
  typeof_unqual(k) z = 3;
  typeof_unqual(const volatile int) y = 1;
  z++, y++;
  int *p = nullptr;
  constexpr int size = 5;
  int list[size];
  bool b = true;
  b = 7;
  assert(choose(0) == 1 && choose(3) == 3 && z == 4 && y == 2 && !p && sizeof list == 20 && b == true && !false);
  return 0;
}
