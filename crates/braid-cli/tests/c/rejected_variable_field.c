// expect: unknown (a field of variable length is not supported
// The size of the type depends on a value.
int main(void) {
  int n = 3;
  struct { int a[n]; } x;
  return sizeof x;
}
