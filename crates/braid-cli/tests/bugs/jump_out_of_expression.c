// property: no-uninitialised
// A jump out of an expression leaves alone what lives on both sides.
int main(void) {
  int i = 4, other;
  int value = ({
    if (i == 4) goto out;
    other = 1;
    7;
  });
  i = value;
out:
#ifdef BUG
  i = other;
#endif
  return i == 9;
}
