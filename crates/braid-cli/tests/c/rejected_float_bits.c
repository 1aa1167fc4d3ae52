// expect: rejected: memory is accessed as another type than it has
// A floating-point value is written to an integer.
void reach_error(void);
int main(void) {
  long long x = 0;
  *(double *)&x = 1.0;
  if (x)
    reach_error();
}
