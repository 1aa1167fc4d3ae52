// expect --extern set=pure: safe
// expect : unknown (`set` has no body, and it is not known exactly what memory it could write
#include <assert.h>
#include <stdlib.h>
struct item { int a; struct item *next; };
void set(struct item *i);

int main() {
    struct item *list = 0;
    for (int i = 0; i < 3; i++) {
        struct item *new = malloc(sizeof *new);
        new->a = i;
        new->next = list;
        list = new;
    }
    set(list);
    assert(list->a == 2);
}
