// expect: unsafe
// A bit-field as wide as `unsigned int` is not calculated with as an `int`.
#include "model.h"

struct bits { unsigned all : 32; } b;

int main() {
  check(b.all - 1 < 0);
}
