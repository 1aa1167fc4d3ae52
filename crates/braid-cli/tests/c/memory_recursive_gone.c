// expect: unsafe
// options: --property valid-deref
// The variable of an inner call is gone when the outer one follows a pointer to it.
static int *deepest;
static int descend(int n) {
  int own = n;
  if (n == 0) {
    deepest = &own;
    return own;
  }
  descend(n - 1);
  return *deepest;
}
int main(void) { return descend(2); }
