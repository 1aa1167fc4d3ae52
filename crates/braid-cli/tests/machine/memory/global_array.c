// property: valid-deref
// says: access outside of a variable
// The loop goes one element too far, through a pointer.
int before, table[4], after;

static int sum(const int *at, int count) {
  int total = 0;
  for (int i = 0; i <= count; i++) total += at[i];
  return total;
}

int main(void) { return sum(table, 4); }
