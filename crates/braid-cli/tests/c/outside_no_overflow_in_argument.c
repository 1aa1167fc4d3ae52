// expect: safe
// options: --property no-overflow
#include <limits.h>
void use(int x);

int main() {
    int x = INT_MAX;
    use(x - 1);
}
