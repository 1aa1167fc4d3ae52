// property: valid-deref
int *keep;
void f(void) {
#ifdef BUG
  int x = 3;
#else
  static int x = 3;
#endif
  keep = &x;
}
int main(void) {
  f();
  return *keep;
}
