// expect: unsafe
// Half goes to the even digit, not up.
#include <assert.h>
#include <stdio.h>
int main(void) {
    char text[8];
    snprintf(text, sizeof text, "%.0f", 2.5);
    assert(text[0] == '3');
    return 0;
}
