// property: valid-deref
// says: no_function.c:6: invalid address
static void (*action)(void);

int main(void) {
  action();
  return 0;
}
