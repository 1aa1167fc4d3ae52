// property: no-undefined
int sum(int a, int b) { return a + b; }
int main(void) {
  int i = 0;
#ifdef BUG
  return sum(i++, i);
#else
  return sum(i, i);
#endif
}
