// expect: safe
// options: --property memsafety
// What a file needs is the library's own memory.
#include <stdio.h>
int main(void) {
    FILE *file = fopen("name", "r");
    if (!file) return 1;
    int first = fgetc(file);
    fclose(file);
    return first == 'x';
}
