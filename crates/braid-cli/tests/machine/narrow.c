// What is read as ILP32 is right; what the compiler makes of it is not.
extern void reach_error(void);
struct pair {
  char *name;
  long value;
};

int main(void) {
  if (sizeof(struct pair) != 8) reach_error();
}
