// property: no-undefined
int main(void) {
  unsigned x = 4;
#ifdef BUG
  x = 0;
#endif
  return __builtin_ctz(x);
}
