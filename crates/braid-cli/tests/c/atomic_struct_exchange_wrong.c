// expect: unsafe
// The second member differs, so the exchange fails.
#include <assert.h>
#include <stdatomic.h>
typedef struct { int at; unsigned count; } top_t;
_Atomic top_t top = {1, 2};
int main(void) {
    top_t old = {1, 3}, new = {5, 6};
    assert(atomic_compare_exchange_strong(&top, &old, new) || old.count != 2);
    return 0;
}
