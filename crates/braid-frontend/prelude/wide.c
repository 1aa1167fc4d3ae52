// Wide strings: what strings.c does with characters, with `wchar_t`, which is an `int` here.

unsigned long wcslen(const int *s) {
  unsigned long n = 0;
  while (s[n]) n = n + 1;
  return n;
}
unsigned long wcsnlen(const int *s, unsigned long most) {
  unsigned long n = 0;
  while (n < most && s[n]) n = n + 1;
  return n;
}
int *wcscpy(int *to, const int *from) {
  unsigned long n = 0;
  int c;
  do {
    c = from[n];
    to[n] = c;
    n = n + 1;
  } while (c);
  return to;
}
int *wcsncpy(int *to, const int *from, unsigned long most) {
  unsigned long n = 0;
  while (n < most && from[n]) {
    to[n] = from[n];
    n = n + 1;
  }
  while (n < most) {
    to[n] = 0;
    n = n + 1;
  }
  return to;
}
int *wcscat(int *to, const int *from) {
  unsigned long end = 0, n = 0;
  while (to[end]) end = end + 1;
  while (from[n]) {
    to[end + n] = from[n];
    n = n + 1;
  }
  to[end + n] = 0;
  return to;
}
int wcscmp(const int *a, const int *b) {
  unsigned long n = 0;
  while (a[n] && a[n] == b[n]) n = n + 1;
  return a[n] < b[n] ? -1 : a[n] > b[n];
}
int wcsncmp(const int *a, const int *b, unsigned long most) {
  unsigned long n = 0;
  int result = 0;
  while (n < most && a[n] && a[n] == b[n]) n = n + 1;
  if (n < most) result = a[n] < b[n] ? -1 : a[n] > b[n];
  return result;
}
int *wcschr(const int *s, int c) {
  unsigned long n = 0;
  while (s[n] && s[n] != c) n = n + 1;
  return s[n] == c ? (int *)s + n : (int *)0;
}
int *wcsrchr(const int *s, int c) {
  unsigned long n = 0;
  int *found = 0;
  while (s[n]) {
    if (s[n] == c) found = (int *)s + n;
    n = n + 1;
  }
  if (c == 0) found = (int *)s + n;
  return found;
}
int *wmemset(int *to, int c, unsigned long count) {
  for (unsigned long n = 0; n < count; n = n + 1) to[n] = c;
  return to;
}
int wmemcmp(const int *a, const int *b, unsigned long count) {
  unsigned long n = 0;
  int result = 0;
  while (n < count && a[n] == b[n]) n = n + 1;
  if (n < count) result = a[n] < b[n] ? -1 : 1;
  return result;
}
int *wmemcpy(int *to, const int *from, unsigned long count) {
  memcpy(to, from, count * sizeof(int));
  return to;
}
int *wmemmove(int *to, const int *from, unsigned long count) {
  memmove(to, from, count * sizeof(int));
  return to;
}
