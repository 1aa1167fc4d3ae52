extern int __VERIFIER_nondet_int(void);

int main(void) {
  int value;
  if (__VERIFIER_nondet_int()) value = 1;
  return value;
}
