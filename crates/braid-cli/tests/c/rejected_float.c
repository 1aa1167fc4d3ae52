// expect: unknown (a floating type other than `float`, `double` and `long double` is not supported
// Floating types of other formats.
int main(void) {
  __float128 x = 1;
  return x > 0;
}
