// expect: unknown (the attribute `strange` is not supported
// An unknown attribute can mean anything.
int x __attribute__((strange));
int main(void) { return x; }
