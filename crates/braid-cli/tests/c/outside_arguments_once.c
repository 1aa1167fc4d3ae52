// expect: safe
#include <assert.h>
void use(int *p, int i);

int main() {
    int a[3] = {0}, i = 0;
    use(&a[i++], i++);
    assert(i == 2);
}
