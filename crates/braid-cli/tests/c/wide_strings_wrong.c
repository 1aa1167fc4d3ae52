// expect: unsafe
#include <assert.h>
#include <wchar.h>
int main(void) {
    wchar_t text[8] = L"ab";
    assert(wcslen(text) == 8);
    return 0;
}
