// property: no-undefined
int main(void) {
  int i = 0;
#ifdef BUG
  i = i++ + 1;
#else
  i = i + 1;
#endif
  return i;
}
