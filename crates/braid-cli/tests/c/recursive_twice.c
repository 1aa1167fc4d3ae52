// Functions that call themselves twice: their calls share bodies on each level, and locals, results and where to return to stay apart.
// expect: safe
// expect -D WRONG: unsafe
// options: --property all
#include <assert.h>
#include <pthread.h>

static int fib(int n) {
  int first;
  if (n < 2) return n;
  first = fib(n - 1);
  return first + fib(n - 2);
}

static int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

static const char *at = "2*(3+4)-(5-1)*2";
static int sum(void);
static int factor(void) {
  int value = 0;
  if (*at == '(') {
    at++;
    value = sum();
    assert(*at == ')');
    at++;
    return value;
  }
  while (*at >= '0' && *at <= '9') value = value * 10 + (*at++ - '0');
  return value;
}
static int product(void) {
  int value = factor();
  while (*at == '*') {
    at++;
    value *= factor();
  }
  return value;
}
static int sum(void) {
  int value = product();
  while (*at == '+' || *at == '-') {
    char sign = *at++;
    int next = product();
    value = sign == '+' ? value + next : value - next;
  }
  return value;
}

static int results[2];
static void *worker(void *argument) {
  int n = *(int *)argument;
  results[n] = fib(5 + n);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2] = {0, 1};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, &numbers[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(results[0] == 5 && results[1] == 8);
  assert(ackermann(2, 3) == 9);
  assert(sum() == 6);
#ifdef WRONG
  assert(fib(10) == 56);
#else
  assert(fib(10) == 55);
#endif
  return 0;
}
