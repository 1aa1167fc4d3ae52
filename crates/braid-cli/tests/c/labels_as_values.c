// expect: safe
// Addresses of labels in variables and tables, and labels of blocks.
// expect -D WRONG: unsafe
// The code is run in its order.
#include <assert.h>

static int run(const unsigned char *code) {
  static const void *const table[] = {&&increment, &&twice, &&decrement, &&end};
  int value = 0;
  goto *table[*code++];
increment:
  value++;
  goto *table[*code++];
twice:
  value *= 2;
  goto *table[*code++];
decrement:
  value--;
  goto *table[*code++];
end:
  return value;
}
#define FIND(list, count, key) \
  ({ __label__ found; int at; for (at = 0; at < (count); at++) if ((list)[at] == (key)) goto found; at = -1; found: at; })

int main(void) {
  static const unsigned char code[] = {0, 0, 1, 2, 3};
#ifndef WRONG
  assert(run(code) == 3);
#else
  assert(run(code) == 4);
#endif
  int x = 0, rounds = 0, list[] = {3, 1, 4};
  void *next = &&first;
  goto *next;
first:
  x = 1;
  next = &&second;
  goto *next;
second:
  assert(x == 1 && next == &&second && next != &&first);
  {
    int inner = 5;
    void *ways[2] = {&&again, &&done};
  again:
    inner++;
    rounds++;
    goto *ways[rounds >= 3];
  done:
    assert(inner == 8);
  }
  assert(FIND(list, 3, 4) == 2 && FIND(list, 3, 9) == -1);
  return 0;
}
