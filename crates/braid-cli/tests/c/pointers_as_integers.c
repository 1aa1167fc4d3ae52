// expect: safe
// options: --data-model ilp32
// Pointers survive being integers, also signed ones.
#include <assert.h>
#include <stdlib.h>
static int x;
int main(void) {
    for (int i = 0; i < 2; i++) {
        int *p = malloc(sizeof(int)), s = (int)p, t = (int)&x;
        *p = 3;
        int *q = (int *)s, *r = (int *)t;
        *r = 4;
        assert(p == q && *q == 3 && x == 4);
    }
    return 0;
}
