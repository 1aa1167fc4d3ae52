// expect: unsafe
#include <assert.h>
#include <stdlib.h>
struct item { int a; struct item *next; };
void set(struct item *i);

int main() {
    struct item *i = malloc(sizeof *i);
    i->a = 1;
    i->next = 0;
    set(i);
    assert(i->a == 1);
}
