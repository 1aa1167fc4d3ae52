// property: no-uninitialised
// The other operand of && is not always evaluated.
int first(int a) {
  int v;
  if (a > 0 && (v = a)) return v;
#ifdef BUG
  return v;
#else
  return 0;
#endif
}
int main(void) { return first(-1) == 7; }
