// property: valid-deref
// says: use of a variable out of its scope
int main(void) {
  int *kept = 0;
  for (int i = 0; i < 2; i++) {
    int inner = i;
    if (i == 0) kept = &inner;
  }
  return *kept;
}
