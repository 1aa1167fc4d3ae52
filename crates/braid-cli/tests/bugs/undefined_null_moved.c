// property: no-undefined
int main(int count, char **arguments) {
  char *start = 0, text[4] = "abc";
  int by = count > 1 ? 2 : 0;
#ifdef BUG
  char *end = start + by;
#else
  char *end = text + by;
#endif
  return end == text + 3;
}
