// property: valid-deref
int fill(int n) {
  int a[n];
#ifdef BUG
  for (int i = 0; i <= n; i++) a[i] = i;
#else
  for (int i = 0; i < n; i++) a[i] = i;
#endif
  return a[n - 1];
}
int main(void) { return fill(3); }
