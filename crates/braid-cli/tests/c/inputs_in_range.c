// expect: safe
// What comes from outside is anything that it can be, and nothing else.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  int c = getchar();
  assert(c >= -1 && c <= 255);
  long r = random();
  assert(r >= 0 && r <= 2147483647);
  struct timespec t = {-1, -1};
  if (clock_gettime(CLOCK_MONOTONIC, &t) == 0) assert(t.tv_nsec >= 0 && t.tv_nsec < 1000000000);
  struct timeval v;
  gettimeofday(&v, 0);
  assert(v.tv_usec >= 0 && v.tv_usec < 1000000);
  time_t now, same = time(&now);
  assert(now == same);
  int ends[2] = {-1, -1};
  if (pipe(ends) == 0) assert(ends[0] >= 0 && ends[1] >= 0 && ends[0] != ends[1]);
  char b[4] = {0};
  ssize_t n = read(0, b, 3);
  assert(n >= -1 && n <= 3 && b[3] == 0);
  return 0;
}
