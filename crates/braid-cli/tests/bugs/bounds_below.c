// property: valid-deref
int a[4];
int main(void) {
  int *p = a + 2;
#ifdef BUG
  p -= 3;
#else
  p -= 2;
#endif
  return *p;
}
