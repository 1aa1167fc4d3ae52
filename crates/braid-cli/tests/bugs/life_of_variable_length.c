// property: valid-deref
int main(void) {
  int *kept = 0, sum = 0;
  for (int n = 1; n < 3; n++) {
    int a[n];
    a[n - 1] = n;
#ifdef BUG
    if (kept) sum += *kept;
#endif
    kept = a;
    sum += *kept;
  }
  return sum;
}
