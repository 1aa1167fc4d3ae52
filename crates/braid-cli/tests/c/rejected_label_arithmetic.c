// expect: unknown (calculating with the address of a label is not supported
int main(void) {
  static int distance[] = {&&b - &&a};
a:
  if (distance[0]) goto *(&&a + distance[0]);
b:
  return 0;
}
