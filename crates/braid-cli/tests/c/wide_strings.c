// expect: safe
// Strings of wide characters, as values and as initial values; digraphs.
#include "model.h"

int main() <%
  int a<::> = L"ab", *p = L"xyz";
  unsigned short half[4] = u"abc";
  check(sizeof a == 12 && a[1] == 'b' && a[2] == 0);
  check(p[2] == 'z' && p[3] == 0 && sizeof(U"abcd") == 20);
  check(half[2] == 'c' && half[3] == 0 && L'\xff' == 255 && 'ab' == 'a' * 256 + 'b');
%>
