// expect: unsafe
// Other attributes promise nothing about memory, and the result of a pure function is not known.
#include <assert.h>
int sum(int *numbers) __attribute__((nonnull));
int count(int *numbers) __attribute__((pure));

int main() {
    int a[3] = {1, 2, 3};
    if (count(a) == 5)
        sum(a);
    assert(a[0] == 1);
}
