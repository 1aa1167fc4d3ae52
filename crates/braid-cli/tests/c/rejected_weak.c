// expect: unknown (the attribute `weak` without a definition is not supported
// Its address could be null.
int f(void) __attribute__((weak));
int main(void) { return f && f(); }
