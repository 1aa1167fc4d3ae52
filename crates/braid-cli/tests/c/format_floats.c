// expect: safe
// Numbers are rounded to nearest even, from their exact values.
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char text[32];
    assert(sprintf(text, "%f", 1.5) == 8 && strcmp(text, "1.500000") == 0);
    sprintf(text, "%.2f|%6.1f|%-5.0f|", 3.14159, 9.96, 2.5);
    assert(strcmp(text, "3.14|  10.0|2    |") == 0);
    sprintf(text, "%e %.0e", 12345.678, 0.00095);
    assert(strcmp(text, "1.234568e+04 9e-04") == 0);
    sprintf(text, "%g %g %g %g", 0.5, 1e10, 100000.0, 0.0001);
    assert(strcmp(text, "0.5 1e+10 100000 0.0001") == 0);
    return 0;
}
