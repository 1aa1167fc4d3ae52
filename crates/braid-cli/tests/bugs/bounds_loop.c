// property: valid-deref
#ifdef BUG
#define LAST 10
#else
#define LAST 9
#endif
int a[10];
int main(void) {
  int sum = 0;
  for (int i = 0; i <= LAST; i++) sum += a[i];
  return sum;
}
