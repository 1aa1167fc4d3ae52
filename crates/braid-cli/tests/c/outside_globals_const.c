// expect: safe
// options: --extern step=anything
#include <assert.h>
void step(void);
const int global = 1;

int main() {
    int local = 2;
    step();
    assert(global == 1 && local == 2);
}
