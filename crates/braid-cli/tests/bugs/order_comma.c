// property: no-undefined
int main(void) {
  int i = 1, j;
#ifdef BUG
  j = i++ * i--;
#else
  j = (i++, i--);
#endif
  return j;
}
