// property: valid-deref
struct pair { int *a, *b; };
int x;
int use(struct pair p) { return *p.b; }
int main(void) {
  struct pair p;
  p.a = &x;
#ifndef BUG
  p.b = &x;
#endif
  return use(p);
}
