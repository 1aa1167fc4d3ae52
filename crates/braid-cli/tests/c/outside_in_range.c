// expect: safe
// What is written are values of the type.
#include <assert.h>
void fill(unsigned char *small, char buffer[100], _Bool *truth);

int main() {
    unsigned char small = 0;
    char buffer[100] = {0};
    _Bool truth = 0;
    fill(&small, buffer, &truth);
    int i = small % 100;
    assert(small <= 255 && truth <= 1);
    assert(buffer[i] >= -128 && buffer[i] <= 127);
}
