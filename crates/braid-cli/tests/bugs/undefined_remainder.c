// property: no-undefined
int slots;
int main(int argc, char **argv) {
#ifdef BUG
  slots = argc;
#else
  slots = 8;
#endif
  return argc < 100 ? 7 % slots : 0;
}
