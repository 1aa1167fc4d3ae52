// property: valid-deref
// says: use of a local variable of a function that has returned
static int *kept;

static void keep(void) {
  int own = 3;
  kept = &own;
}

int main(void) {
  keep();
  return *kept;
}
