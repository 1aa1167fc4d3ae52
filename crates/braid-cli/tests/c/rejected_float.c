// expect: rejected: a floating-point comparison
// Floating-point values are not tracked.
#include "model.h"

int main() {
  double d = 0.5;
  if (d > 0.25) reach_error();
}
