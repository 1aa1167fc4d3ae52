// expect: unsafe
// options: --extern sum=writes-arguments
// The command line has the last word.
#include <assert.h>
int sum(int *numbers) __attribute__((pure));

int main() {
    int a[3] = {1, 2, 3};
    sum(a);
    assert(a[0] == 1);
}
