// expect: safe
// Floats as arguments and results, in structs, behind pointers, and as variable arguments.
#include <assert.h>
#include <stdarg.h>

struct pair { float a; double b; };

static float half(float x) { return x / 2; }
static struct pair swapped(struct pair p) { return (struct pair){ p.b, p.a }; }
static void scale(double *a, int n, double by) { while (n--) *a++ *= by; }
static double sum(int n, ...) {
  va_list list;
  double total = 0;
  va_start(list, n);
  while (n--) total += va_arg(list, double);
  va_end(list);
  return total;
}

int main(void) {
  double a[3] = { 1, 2, 3 };
  scale(a, 3, 0.5);
  assert(a[0] + a[1] + a[2] == 3);
  struct pair p = swapped((struct pair){ 1.5f, 2.5 });
  assert(p.a == 2.5f && p.b == 1.5);
  assert(half(3) == 1.5f && half(half(1)) == 0.25);
  assert(sum(2, 1.5f, 2.25) == 3.75);
}
