// expect: safe
// A float that no integer of the type holds ends the execution: its conversion is not defined.
extern double __VERIFIER_nondet_double(void);
void reach_error(void);

int main(void) {
  double x = __VERIFIER_nondet_double();
  int n = x;
  if (x > 2147483648.0 || x != x || n > 2147483000 && x < 2147482000.0) reach_error();
}
