// property: no-undefined
int a[3];
int main(void) {
  int i = 0;
#ifdef BUG
  a[i] = i++;
#else
  a[i] = i;
  i++;
#endif
  return i;
}
