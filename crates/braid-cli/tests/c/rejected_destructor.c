// expect: rejected: the attribute `destructor` is not supported
// What runs behind `main` would be left out.
static void __attribute__((destructor)) end(void) {}
int main(void) {}
