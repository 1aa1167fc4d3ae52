// property: valid-deref
int main(void) {
  int *pair;
#ifdef BUG
  {
    pair = (int[]){1, 2};
  }
#else
  pair = (int[]){1, 2};
#endif
  return pair[1] - 2;
}
