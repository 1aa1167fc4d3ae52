// property: no-undefined
static const int limit = 3;
static int level = 3;
static void raise_to(const int *which, int value) { *(int *)which = value; }
int main(void) {
#ifdef BUG
  raise_to(&limit, 4);
#else
  raise_to(&level, 4 - limit + 3);
#endif
  return 0;
}
