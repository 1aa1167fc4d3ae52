// expect: unsafe
// A struct of a function that is called twice is a new one in each call, also where its address is taken.
#include <assert.h>
struct pair { int first, second; };
static int read(struct pair *p) { return p->second; }
static int f(int write) {
    struct pair p;
    p.first = 1;
    if (write) p.second = 7;
    return read(&p);
}
int main(void) {
    assert(f(1) == 7);
    assert(f(0) == 7);
    return 0;
}
