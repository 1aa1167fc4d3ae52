// expect: safe
// options: --property valid-deref,unreach-call
// Rows of an array lie one behind the other.
#include <assert.h>
#include <string.h>
static int large[20][20];
int main(void) {
    int a[3][4], b[3][4];
    char text[2][2][2];
    memset(a, 0, sizeof a);
    a[2][3] = 5;
    memcpy(b, a, sizeof a);
    memset(text, 'z', sizeof text);
    memset(large, -1, sizeof large);
    assert(a[1][0] == 0 && b[2][3] == 5 && text[1][0][1] == 'z' && large[19][19] == -1);
    return 0;
}
