// property: no-uninitialised
int rand(void);
int main(void) {
  int x;
  switch (rand() % 3) {
  case 0: x = 1; break;
  case 1: x = 2; break;
#ifndef BUG
  default: x = 3;
#endif
  }
  return x;
}
