// expect: safe
// Initial values far from the start of an array count as well.
#include "model.h"

static int a[6000] = {[5000] = 7}, b[6000];
int main(int argc, char **argv) {
  int *p = argc ? a : b;
  check(!argc || p[5000] == 7);
}
