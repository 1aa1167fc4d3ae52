// property: no-undefined
int sign(int x) {
  if (x > 0) return 1;
  if (x < 0) return -1;
}
int main(void) {
  sign(0);
#ifdef BUG
  return sign(0);
#else
  return sign(2);
#endif
}
