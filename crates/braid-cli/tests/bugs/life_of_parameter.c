// property: valid-deref
int *kept;
void keep(int a) {
  if (kept) *kept = 3;
  kept = &a;
#ifndef BUG
  *kept = 4;
  kept = 0;
#endif
}
int main(void) {
  keep(1);
  keep(2);
}
