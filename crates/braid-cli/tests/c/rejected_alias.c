// expect: rejected: the attribute `alias` is not supported
// Two names for one function.
void g(void) {}
void f(void) __attribute__((alias("g")));
int main(void) { f(); }
