// property: no-undefined
int next(int n) { return n + 1; }
int main(void) {
  int i = 0;
#ifdef BUG
  i = next(i++) + i;
#else
  i = next(i++);
#endif
  return i;
}
