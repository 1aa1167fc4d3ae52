// property: no-undefined
int main(void) {
#ifdef BUG
  const int x = 1;
#else
  int x = 1;
#endif
  *(int *)&x = 2;
  return x;
}
