// expect: unsafe
// The bits of an initial value, through another member.
union { double d; unsigned long long u; } x = {1.0};
void reach_error(void);
int main(void) {
  if (x.u)
    reach_error();
}
