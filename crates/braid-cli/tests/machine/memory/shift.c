// property: no-undefined
// says: shift by a number of bits that there are not
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int by = __VERIFIER_nondet_int();
  if (by < 0 || by > 32) return 0;
  return (int)(1u << by);
}
