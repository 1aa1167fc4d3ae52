// expect: unknown (the size of a `va_list` is not supported
#include <stdarg.h>
#include <assert.h>
struct holder { int n; va_list list; };
int main(void) {
    assert(sizeof(struct holder) == 8);
    return 0;
}
