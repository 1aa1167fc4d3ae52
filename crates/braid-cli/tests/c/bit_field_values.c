// expect: safe
// The value of an assignment to a bit-field is what the bit-field holds then.
#include "model.h"

enum level { low, mid, high };
struct bits {
  unsigned two : 2;
  int three : 3;
  _Bool flag : 1;
  enum level level : 2;
  unsigned : 0;
  unsigned five : 5;
  unsigned : 7;
  unsigned long long forty : 40;
};

int main() {
  struct bits b = {0};
  check((b.two = 7) == 3);
  check((b.three = 7) == -1 && b.three == -1);
  check((b.flag = 6) == 1);
  check((b.two += 2) == 1);
  b.two = 3;
  check(b.two++ == 3 && b.two == 0);
  check(--b.two == 3);
  b.three = 3;
  check(++b.three == -4);
  check((b.level = 6) == high);
  int count = 0;
  while (++b.two)
    count++;
  check(count == 0);
  check((b.five = 33) == 1);
  check((b.five <<= 4) == 16 && (b.five <<= 1) == 0);
  check((b.five |= 255) == 31 && (b.five ^= 1) == 30 && (b.five *= 2) == 28 && (b.five -= 29) == 31);
  int x = b.two = 5;
  check(x == 1 && (b.two = x = 6) == 2 && x == 6);
  check((x = b.two = 5, x) == 1);
  check((b.forty = ~0ull) == 0xffffffffffull);
  check(b.forty + 1 == 0 && (b.forty << 4 >> 4) == 0xfffffffffull);
}
