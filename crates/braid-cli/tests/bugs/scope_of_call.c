// property: valid-deref
int *kept;
int next(void) {
  int own = 1, old = 0;
  if (kept) old = *kept;
  kept = &own;
#ifndef BUG
  kept = 0;
#endif
  return old;
}
int main(void) {
  next();
  return next();
}
