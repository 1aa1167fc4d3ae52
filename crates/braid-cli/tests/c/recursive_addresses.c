// expect: safe
// options: --recursion 5
// Each call of a recursive function has variables of its own, and they have addresses.
// expect -D WRONG: unsafe
// The list has all the numbers of the calls.
#include <assert.h>
#include <pthread.h>

struct list { int value; struct list *next; };
static int sum(struct list *rest, int n) {
  struct list own = {n, rest};
  if (n > 0) return sum(&own, n - 1);
  int total = 0;
  for (struct list *p = &own; p; p = p->next) total += p->value;
  return total;
}
static void count(int n, int *to) {
  int inner = 0;
  if (n > 0) count(n - 1, &inner);
  *to = inner + 1;
}
static void digits(int n, char *to) {
  char own[4];
  int at = 0;
  if (n >= 10) {
    digits(n / 10, to);
    while (to[at]) at++;
  }
  char *p = own;
  p[0] = '0' + n % 10;
  to[at] = own[0];
  to[at + 1] = 0;
}
static void *worker(void *to) {
  count(2, to);
  return 0;
}
int main(void) {
#ifndef WRONG
  assert(sum(0, 3) == 6);
#else
  assert(sum(0, 3) == 3);
#endif
  char text[8] = {0};
  digits(123, text);
  assert(text[0] == '1' && text[1] == '2' && text[2] == '3' && !text[3]);
  int a, b;
  pthread_t first, second;
  pthread_create(&first, 0, worker, &a);
  pthread_create(&second, 0, worker, &b);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(a == 3 && b == 3);
  return 0;
}
