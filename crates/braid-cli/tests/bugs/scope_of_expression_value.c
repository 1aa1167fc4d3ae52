// property: memsafety
// The value of a block that is an expression is the address of a variable that lives in it.
static int *same(int *p) { return p; }
int main(void) {
  int outside = 1;
#ifdef BUG
  int *p = &outside;
  return *({ int inside = 1; *p = 2; same(&inside); }) - 1;
#else
  return *({ int inside = 1; outside = inside; same(&outside); }) - 1;
#endif
}
