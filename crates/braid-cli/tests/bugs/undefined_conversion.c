// property: no-undefined
int main(void) {
#ifdef BUG
  double d = 3e9;
#else
  double d = 2e9;
#endif
  int i = (int)d;
  return i > 0;
}
