// property: no-undefined
int which(int x, int y) {
  switch (x) {
  case 1:
    switch (y) {
    default:
      return 2;
    }
#ifndef BUG
  default:
    return 3;
#endif
  }
}
int main(void) {
  int (*call)(int, int) = which;
  return call(2, 1);
}
