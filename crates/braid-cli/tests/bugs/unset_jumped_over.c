// property: no-uninitialised
// The value is jumped over, from the second round on.
int main(void) {
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    unsigned v;
    if (i == 1) goto skip;
    v = 1;
  skip:
#ifndef BUG
    v = 2;
#endif
    sum += v > 5;
  }
  return sum;
}
