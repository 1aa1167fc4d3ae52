// property: valid-deref
int main(void) {
  int *last = 0, zero = 0;
  for (int i = 0; i < 3; i++) {
    int square = i * i;
    if (i == 2) last = &square;
  }
#ifdef BUG
  return *last;
#else
  last = &zero;
  return *last;
#endif
}
