// expect: safe
// Nothing is written through a pointer to const, and nothing that no argument reaches.
#include <assert.h>
void look(const int *x, int y);

int global = 7;

int main() {
    int x = 1, y = 2;
    look(&x, y);
    assert(x == 1 && y == 2 && global == 7);
}
