// expect: unsafe
// options: --entry pick
// A function is called with any arguments: a pointer leads to an object that holds anything.
#include <assert.h>

struct pair {
  int first, second;
};

int pick(const struct pair *pair, int which) {
  int value = which ? pair->first : pair->second;
  assert(value != 42);
  return value;
}
