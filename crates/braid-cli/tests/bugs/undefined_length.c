// property: no-undefined
int first(int n) {
  char a[n];
  a[0] = 1;
  return a[0];
}
int main(void) {
#ifdef BUG
  return first(0);
#else
  return first(1);
#endif
}
