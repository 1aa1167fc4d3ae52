// property: no-undefined
int main(void) {
#ifdef BUG
  double d = 1e10;
#else
  double d = 1e9;
#endif
  return (int)d;
}
