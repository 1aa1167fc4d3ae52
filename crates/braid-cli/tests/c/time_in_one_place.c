// expect: safe
// All calls give the same place, which the next one overwrites.
#include <assert.h>
#include <time.h>

int main(void) {
  time_t now = time(0), start = 0;
  struct tm *a = localtime(&now), *b = gmtime(&start);
  assert(a == b && a->tm_mon == b->tm_mon && b->tm_mon >= 0 && b->tm_mon < 12);
  char text[9];
  size_t length = strftime(text, sizeof text, "%H:%M", b);
  assert(length < sizeof text && (length == 0 || text[length] == 0));
}
