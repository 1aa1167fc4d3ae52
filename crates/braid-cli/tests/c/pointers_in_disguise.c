// expect: safe
// A pointer is what it was, however its bits were carried.
#include <assert.h>
#include <stdint.h>
#include <string.h>

static int x;
static void set(int *p, int value) {
  *p = value;
  assert(x == value);
}
int main(void) {
  uintptr_t a = (uintptr_t)&x, sum = 0, some = 0;
  unsigned low = (unsigned)a, high = (unsigned)(a >> 32);
  static char text[16];
  union { int *p; unsigned char bytes[8]; uint32_t words[2]; } from, to;
  int *p = &x, *q;
  set((int *)((a ^ 0x55) ^ 0x55), 1);
  set((int *)((uintptr_t)high << 32 | low), 2);
  sum += a;
  set((int *)sum, 3);
  some |= a;
  set((int *)some, 4);
  memcpy(text + 3, &p, sizeof p);
  memcpy(&q, text + 3, sizeof q);
  set(q, 5);
  from.p = &x;
  for (int i = 0; i < 8; i++) to.bytes[i] = from.bytes[i];
  to.words[0] ^= 1;
  to.words[0] ^= 1;
  set(to.p, 6);
}
