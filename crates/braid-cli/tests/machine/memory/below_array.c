// property: valid-deref
// says: access outside of a variable
// One element below the array, which lies between two others.
int low[4] = {1}, middle[4] = {2}, high[4] = {3};

int main(void) {
  int *at = middle;
  at--;
  return *at + low[0] + high[0];
}
