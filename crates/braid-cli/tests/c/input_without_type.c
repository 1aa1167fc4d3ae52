// expect: safe
#include <assert.h>
#include <unistd.h>
static long take(int file, void *to, unsigned long most) { return read(file, to, most); }
int main(void) {
    char text[4] = "abc";
    long count = take(0, text, 3);
    assert(count >= -1 && count <= 3 && text[3] == 0);
    return 0;
}
