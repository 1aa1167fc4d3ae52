// property: no-uninitialised
int main(void) {
#ifdef BUG
  int sum;
#else
  int sum = 0;
#endif
  for (int i = 0; i < 3; i++) sum += i;
  return sum;
}
