// property: no-undefined
unsigned bit(unsigned n) { return 1u << n; }
int main(void) {
  unsigned all = 0;
#ifdef BUG
  for (unsigned n = 0; n <= 32; n++) all |= bit(n);
#else
  for (unsigned n = 0; n < 32; n++) all |= bit(n);
#endif
  return all == 0;
}
