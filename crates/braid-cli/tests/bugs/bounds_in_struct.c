// property: valid-deref
struct { int a[4], secret; } s;
int main(void) {
#ifdef BUG
  int i = 4;
#else
  int i = 3;
#endif
  s.a[i] = 1;
}
