// property: valid-deref
int main(void) {
  int *p, y = 1;
  {
    int x = 2;
    p = &x;
    if (*p == 2) goto out;
  }
out:
#ifndef BUG
  p = &y;
#endif
  return *p;
}
