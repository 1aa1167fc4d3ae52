// property: valid-deref
int *kept;
int deep(int n) {
  int own = n;
#ifdef BUG
  if (n == 0) {
    if (kept) *kept = 2;
    kept = &own;
    return 0;
  }
#else
  if (n == 0) return *kept;
  kept = &own;
#endif
  deep(n - 1);
  return deep(n - 1);
}
int main(void) { return deep(1); }
