// expect: safe
// What `cleanup` names runs wherever a variable's scope is left, the last variable's first, and behind the value of `return`.
// expect -D WRONG: unsafe
// The variable of the inner block is the first to go.
#include <assert.h>
#include <stdlib.h>

static int seen[8], count, freed;
static void note(int *p) { seen[count++] = *p; }
static void drop(int **p) {
  free(*p);
  freed++;
}
#define NOTED __attribute__((cleanup(note)))

static int returns(int x) {
  NOTED int a = 1;
  if (x) {
    int b NOTED = 2;
    if (x == 2) return a + b + 100 * count;
  }
  a = 5;
  return a;
}
static int jumps(int x) {
  NOTED int a = 1;
  {
    NOTED int b = 2;
    if (x == 1) goto out;
    {
      NOTED int c = 3;
      if (x == 2) goto inside;
    }
  inside:
    b = 20;
  }
out:
  return count;
}
static int allocates(int value) {
  __attribute__((cleanup(drop))) int *p = malloc(sizeof *p);
  *p = value;
  return *p;
}
int main(void) {
  assert(returns(1) == 5 && count == 2 && seen[0] == 2 && seen[1] == 5);
#ifndef WRONG
  assert(returns(2) == 203 && count == 4 && seen[2] == 2 && seen[3] == 1);
#else
  assert(returns(2) == 203 && count == 4 && seen[2] == 1);
#endif
  count = 0;
  assert(jumps(1) == 1 && count == 2 && seen[0] == 2 && seen[1] == 1);
  count = 0;
  assert(jumps(2) == 2 && count == 3 && seen[0] == 3 && seen[1] == 20);
  count = 0;
  for (int i = 0; i < 4; i++) {
    NOTED int c = 10 + i;
    if (i == 1) continue;
    if (i == 2) break;
  }
  assert(count == 3 && seen[1] == 11 && seen[2] == 12);
  count = 0;
  int value = ({ NOTED int q = 7; q + 1; });
  assert(value == 8 && count == 1 && seen[0] == 7);
  assert(allocates(4) == 4 && freed == 1);
  return 0;
}
