// property: no-undefined
int main(void) {
  int i = 1;
#ifdef BUG
  if ((i = 2) == i++) return 1;
#else
  if ((i = 2) && i++) return 1;
#endif
  return 0;
}
