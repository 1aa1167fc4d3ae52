// expect: unsafe
// options: --property valid-deref
#include <string.h>
int main(void) {
    int a[3][4];
    memset(a, 0, sizeof a + sizeof(int));
    return a[0][0];
}
