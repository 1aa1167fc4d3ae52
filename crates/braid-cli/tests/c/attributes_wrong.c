// expect: unsafe
// A constructor has run before `main`.
#include "model.h"

static int ready;
static void __attribute__((constructor)) prepare(void) { ready = 1; }

int main() {
  check(!ready);
}
