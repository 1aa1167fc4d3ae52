// property: no-uninitialised
int rand(void);
int main(void) {
  int n = rand() % 4, last;
#ifdef BUG
  for (int i = 0; i < n; i++) last = i;
#else
  for (int i = 0; i <= n; i++) last = i;
#endif
  return last;
}
