// expect: rejected: `_Float16`, `_Float128` and decimal floating types is not supported
// Floating types of other formats.
int main(void) {
  __float128 x = 1;
  return x > 0;
}
