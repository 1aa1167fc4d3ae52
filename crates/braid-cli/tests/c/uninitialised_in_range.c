// expect: safe
// ... but nothing else.
#include "model.h"

int main() {
  for (int i = 0; i < 2; i++) {
    unsigned char c;
    check(c < 256);
  }
}
