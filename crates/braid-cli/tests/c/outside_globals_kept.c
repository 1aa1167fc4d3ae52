// expect: safe
#include <assert.h>
void step(void);
int global = 1;

int main() {
    step();
    assert(global == 1);
}
