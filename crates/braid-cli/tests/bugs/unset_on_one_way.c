// property: no-uninitialised
int rand(void);
int main(void) {
  int x;
  if (rand()) x = 1;
#ifndef BUG
  else x = 2;
#endif
  return x;
}
