// property: no-undefined
int rand(void);
int main(void) {
  int n = rand();
#ifndef BUG
  if (n == 0) return 1;
#endif
  return 100 / n;
}
