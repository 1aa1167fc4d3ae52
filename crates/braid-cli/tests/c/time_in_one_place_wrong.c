// expect: unsafe
// What the first call gave is not there any more.
#include <assert.h>
#include <time.h>

int main(void) {
  time_t now = time(0), start = 0;
  struct tm *a = localtime(&now);
  int month = a->tm_mon;
  gmtime(&start);
  assert(a->tm_mon == month);
}
