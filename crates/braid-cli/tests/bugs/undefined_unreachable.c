// property: no-undefined
int main(void) {
  int x = 1;
#ifdef BUG
  x = 0;
#endif
  if (!x) __builtin_unreachable();
}
