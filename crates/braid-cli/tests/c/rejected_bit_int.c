// expect: unknown (an integer of any width (`_BitInt`) is not supported
int main(void) {
  unsigned _BitInt(7) x = 3;
  return x;
}
