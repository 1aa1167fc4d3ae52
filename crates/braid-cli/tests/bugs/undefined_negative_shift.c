// property: no-undefined
int rand(void);
int main(void) {
  int by = rand() % 8;
#ifdef BUG
  by = by - 4;
#endif
  return 256 >> by;
}
