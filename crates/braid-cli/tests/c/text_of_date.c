// The text of a date is in one place that may be changed, and may be any.
// expect: safe
// expect -D WRONG: unsafe (unreach-call)
// expect -D BEHIND: unsafe (valid-deref)
// options: --property all
#include <assert.h>
#include <string.h>
#include <time.h>
int main(void) {
  time_t now = time(0);
  char *text = ctime(&now);
  assert(text[24] == '\n' && text[25] == 0);
  text[24] = 0;
#ifdef BEHIND
  text[26] = 0;
#endif
  assert(asctime(localtime(&now)) == text && text[24] == '\n');
#ifdef WRONG
  assert(text[0] == 'T');
#endif
  return 0;
}
