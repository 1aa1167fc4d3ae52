// expect: unsafe
// Something is neither less than, nor equal to, nor greater than zero.
extern double __VERIFIER_nondet_double(void);
void reach_error(void);

int main(void) {
  double x = __VERIFIER_nondet_double();
  if (!(x < 0) && !(x == 0) && !(x > 0)) reach_error();
}
