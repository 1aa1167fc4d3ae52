// property: valid-deref
struct s { int a, b; } x, *p;
int main(void) {
#ifndef BUG
  p = &x;
#endif
  *p;
  return 0;
}
