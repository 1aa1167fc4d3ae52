// property: valid-deref
// says: access outside of a variable
// One element below the array, which lies between two others.
static int low[4], middle[4], high[4];

int main(void) {
  int *at = middle;
  at--;
  return *at + low[0] + high[0];
}
