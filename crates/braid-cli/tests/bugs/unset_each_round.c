// property: no-uninitialised
int main(void) {
  int all = 0;
  for (int i = 0; i < 3; i++) {
    int x;
#ifdef BUG
    if (i == 0) x = 1;
#else
    x = i;
#endif
    all += x;
  }
  return all;
}
