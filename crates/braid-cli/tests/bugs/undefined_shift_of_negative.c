// property: no-undefined
int mask(int bits, int all) { return ~(all << bits); }
int main(void) {
#ifdef BUG
  return mask(4, ~0) - 15;
#else
  return mask(4, 0) + 1;
#endif
}
