// property: valid-deref
int x;
int main(void) {
  int *p;
#ifndef BUG
  p = &x;
#endif
  *p = 1;
}
