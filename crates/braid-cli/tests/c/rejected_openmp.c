// expect: rejected: `#pragma omp parallel` is not supported
// It would make threads.
int main(void) {
#pragma omp parallel
  ;
}
