// property: valid-deref
int *keep, zero;
int down(int n) {
  int x = n;
  if (n == 1) keep = &x;
  return n ? down(n - 1) + x : x;
}
int main(void) {
  down(3);
#ifndef BUG
  keep = &zero;
#endif
  return *keep;
}
