// expect: safe
#include <assert.h>
#include <wchar.h>
int main(void) {
    wchar_t text[8];
    wcscpy(text, L"ab");
    wcscat(text, L"\u00e9");
    assert(wcslen(text) == 3 && text[2] == 0xe9);
    assert(wcscmp(text, L"ab") > 0 && wcsncmp(text, L"abc", 2) == 0);
    assert(wcschr(text, L'b') == text + 1 && wcsrchr(text, L'z') == 0);
    wmemset(text, L'x', 2);
    assert(wmemcmp(text, L"xx", 2) == 0);
    return 0;
}
