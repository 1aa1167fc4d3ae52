// expect: safe
// options: --property valid-deref
// A message is some text.
#include <errno.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    const char *text = strerror(EINVAL);
    printf("%s\n", text);
    return strlen(text) == 0;
}
