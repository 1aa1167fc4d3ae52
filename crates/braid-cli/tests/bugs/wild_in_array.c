// property: valid-deref
int x;
int main(void) {
  int *table[3];
  table[0] = &x;
  table[1] = &x;
#ifndef BUG
  table[2] = &x;
#endif
  return *table[2];
}
