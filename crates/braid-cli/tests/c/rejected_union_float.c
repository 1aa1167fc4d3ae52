// expect: rejected: different members of one union are used
// The bits of a floating-point value are not tracked.
union { double d; unsigned long long u; } x;
void reach_error(void);
int main(void) {
  x.d = 10;
  if (x.u)
    reach_error();
}
