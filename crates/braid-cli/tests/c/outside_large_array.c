// expect: unsafe
#include <assert.h>
void fill(char *buffer, unsigned long size);

int main() {
    char buffer[100] = {0};
    fill(buffer, sizeof buffer);
    assert(buffer[70] == 0);
}
