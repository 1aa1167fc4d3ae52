// expect: safe
// Elements of an array may be arrays.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b) { return strcmp(a, b); }
int main(void) {
    char names[3][4] = {"cc", "aa", "bb"};
    qsort(names, 3, sizeof names[0], compare);
    assert(names[0][0] == 'a' && names[1][1] == 'b' && names[2][0] == 'c');
    assert(bsearch("bb", names, 3, sizeof names[0], compare) == names[1]);
    return 0;
}
