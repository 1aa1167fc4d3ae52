// expect: rejected: different members of one union are used
// Nor those of an initial value.
union { double d; unsigned long long u; } x = {1.0};
void reach_error(void);
int main(void) {
  if (x.u)
    reach_error();
}
