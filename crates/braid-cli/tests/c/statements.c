// expect: safe
// Loops, jumps and switches.
#include "model.h"

int classify(int n) {
  switch (n) {
    case 0: return 10;
    case 1:
    case 2: n += 100;
    case 3: n += 1000; break;
    case 5 ... 7: n = 5; break;
    default: n = -1;
  }
  return n;
}
int main() {
  check(classify(0) == 10 && classify(2) == 1102 && classify(3) == 1003 && classify(6) == 5 && classify(9) == -1);
  int sum = 0;
  for (int i = 0; i < 10; i++) {
    if (i == 2) continue;
    if (i == 5) break;
    sum += i;
  }
  check(sum == 8);
  int n = 0;
  do { n++; if (n == 2) continue; } while (n < 4);
  check(n == 4);
again:
  n--;
  if (n > 0) goto again;
  check(n == 0);
  while (1) { switch (n) { case 0: n = 1; continue; case 1: n = 2; break; } if (n == 2) break; }
  check(n == 2);
}
