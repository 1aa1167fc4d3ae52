// expect: unknown
// options: --property unreach-call
// What a function without a body puts into a pointer that had no value is not known.
#include <assert.h>
void get(char **line);
int main(void) {
  char *line;
  get(&line);
  if (line) {
    char c = *line;
    assert(c != 'x');
  }
}
