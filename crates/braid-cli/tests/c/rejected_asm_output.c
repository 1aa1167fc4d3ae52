// expect: unknown (an `asm` statement is not supported
// Nobody knows what is put out.
int main(void) {
  int x;
  asm("" : "=r"(x));
  return x;
}
