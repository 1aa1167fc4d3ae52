// property: valid-deref
int main(void) {
  int *last = 0, sum = 0;
  for (int i = 0; i < 3; i++) {
    int square = i * i;
#ifdef BUG
    if (last) sum += *last;
#else
    if (last == &square) sum += *last;
    last = 0;
#endif
    if (i < 2) last = &square;
  }
  return sum;
}
