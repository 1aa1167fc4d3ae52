// expect: safe
// A call through a pointer to no function, or to one of another number of parameters, ends the execution.
#include <assert.h>
#include <stddef.h>

static void fails(void) { assert(0); }
static int two(int a, int b) { assert(0); return a + b; }
static int one(int a) { return a; }

void (*handler)(void) = fails;
int (*number)(int) = one;
int nondet(void);

int main(void)
{
    if (nondet()) {
        handler = NULL;
        handler();
        assert(0);
    }
    if (nondet()) {
        number = (int (*)(int))two;
        int got = number(3);
        assert(0);
    }
    if (nondet()) {
        void (*local)(void) = NULL;
        local();
        assert(0);
    }
    return 0;
}
