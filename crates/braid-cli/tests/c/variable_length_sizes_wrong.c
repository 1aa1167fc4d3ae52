// expect: unsafe
// The length is not looked at again.
#include "model.h"

int main() {
  int n = 2;
  int a[n];
  n = 3;
  check(sizeof a == 12);
}
