// expect: safe
// What these functions set and copy has the type of the argument.
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include <strings.h>
int main(void) {
    char a[8] = "abcab", *p = a;
    int n[2] = {1, 2};
    bcopy(a, a + 2, 3);
    assert(a[2] == 'a' && a[4] == 'c');
    bzero(++p, 2);
    assert(p == a + 1 && a[1] == 0 && a[2] == 0 && a[3] == 'b');
    assert(mempcpy(a, "xyz", 2) == a + 2 && a[1] == 'y');
    bzero(n, sizeof n);
    assert(n[1] == 0);
    return 0;
}
