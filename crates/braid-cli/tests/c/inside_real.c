// expect: unsafe
// Violations without undefined behaviour are found.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *next; char text[4]; };
static struct node *make(int value, struct node *next) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = next;
    n->text[3] = 0;
    return n;
}
int main(void) {
    int a[4], *end = a + 4, sum = 0, n = 3;
    int v[n];
    for (int *p = a; p < end; p++) *p = 1;
    for (int *p = &a[0]; p != &a[4]; p++) sum += *p;
    v[2] = sum;
    struct node *list = make(1, make(2, 0));
    for (struct node *n = list; n; n = n->next) sum += n->value;
    struct node copy = *list;
    free(list);
    copy.text[0] = 'a';
    char *s = malloc(n);
    s[n - 1] = 3;
    list = make(5, 0);
    assert(v[2] + copy.value + list->value + s[2] != 4 + 1 + 5 + 3);
    return 0;
}
