// expect: unknown (input that could be the program's own output
#include <assert.h>
#include <stdio.h>

int main(void)
{
    FILE *f = fopen("x", "w+");
    if (!f)
        return 0;
    fputc('a', f);
    rewind(f);
    assert(fgetc(f) == 'a');
    return 0;
}
