// property: valid-deref
int main(void) {
  int *p, y = 2;
  {
    int x = 1;
#ifdef BUG
    p = &x;
#else
    p = &y;
#endif
    *p = x;
  }
  return *p;
}
