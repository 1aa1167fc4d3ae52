// Strings and bytes. Characters are compared as `unsigned char`.

typedef unsigned long size_t;

size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n]) n = n + 1;
  return n;
}
size_t strnlen(const char *s, size_t most) {
  size_t n = 0;
  while (n < most && s[n]) n = n + 1;
  return n;
}
char *strcpy(char *to, const char *from) {
  size_t n = 0;
  char c;
  do {
    c = from[n];
    to[n] = c;
    n = n + 1;
  } while (c);
  return to;
}
char *stpcpy(char *to, const char *from) {
  size_t n = 0;
  while (from[n]) {
    to[n] = from[n];
    n = n + 1;
  }
  to[n] = 0;
  return to + n;
}
char *strncpy(char *to, const char *from, size_t most) {
  size_t n = 0;
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
char *strcat(char *to, const char *from) {
  size_t end = 0, n = 0;
  while (to[end]) end = end + 1;
  while (from[n]) {
    to[end + n] = from[n];
    n = n + 1;
  }
  to[end + n] = 0;
  return to;
}
char *strncat(char *to, const char *from, size_t most) {
  size_t end = 0, n = 0;
  while (to[end]) end = end + 1;
  while (n < most && from[n]) {
    to[end + n] = from[n];
    n = n + 1;
  }
  to[end + n] = 0;
  return to;
}
// As in glibc, comparisons give how far apart the first two characters are that differ.
int strcmp(const char *a, const char *b) {
  size_t n = 0;
  while (a[n] && a[n] == b[n]) n = n + 1;
  return (unsigned char)a[n] - (unsigned char)b[n];
}
int strncmp(const char *a, const char *b, size_t most) {
  size_t n = 0;
  int result = 0;
  while (n < most && a[n] && a[n] == b[n]) n = n + 1;
  if (n < most) result = (unsigned char)a[n] - (unsigned char)b[n];
  return result;
}
int strcoll(const char *a, const char *b) { return strcmp(a, b); }
static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
int strcasecmp(const char *a, const char *b) {
  size_t n = 0;
  while (a[n] && lower((unsigned char)a[n]) == lower((unsigned char)b[n])) n = n + 1;
  return lower((unsigned char)a[n]) - lower((unsigned char)b[n]);
}
char *strchr(const char *s, int c) {
  size_t n = 0;
  while (s[n] && s[n] != (char)c) n = n + 1;
  return s[n] == (char)c ? (char *)s + n : (char *)0;
}
char *strchrnul(const char *s, int c) {
  size_t n = 0;
  while (s[n] && s[n] != (char)c) n = n + 1;
  return (char *)s + n;
}
char *index(const char *s, int c) { return strchr(s, c); }
char *strrchr(const char *s, int c) {
  size_t n = 0;
  char *found = 0;
  while (s[n]) {
    if (s[n] == (char)c) found = (char *)s + n;
    n = n + 1;
  }
  if ((char)c == 0) found = (char *)s + n;
  return found;
}
char *rindex(const char *s, int c) { return strrchr(s, c); }
static _Bool is_in(char c, const char *set) {
  size_t n = 0;
  while (set[n] && set[n] != c) n = n + 1;
  return set[n] != 0;
}
size_t strspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && is_in(s[n], set)) n = n + 1;
  return n;
}
size_t strcspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && !is_in(s[n], set)) n = n + 1;
  return n;
}
char *strpbrk(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && !is_in(s[n], set)) n = n + 1;
  return s[n] ? (char *)s + n : (char *)0;
}
char *strstr(const char *s, const char *part) {
  size_t at = 0;
  char *found = 0;
  _Bool over = 0;
  while (!over && !found) {
    size_t n = 0;
    while (part[n] && s[at + n] == part[n]) n = n + 1;
    if (part[n] == 0) found = (char *)s + at;
    else if (s[at] == 0) over = 1;
    at = at + 1;
  }
  return found;
}
char *strcasestr(const char *s, const char *part) {
  size_t at = 0;
  char *found = 0;
  _Bool over = 0;
  while (!over && !found) {
    size_t n = 0;
    while (part[n] && lower((unsigned char)s[at + n]) == lower((unsigned char)part[n])) n = n + 1;
    if (part[n] == 0) found = (char *)s + at;
    else if (s[at] == 0) over = 1;
    at = at + 1;
  }
  return found;
}
int strncasecmp(const char *a, const char *b, size_t most) {
  size_t n = 0;
  int result = 0;
  while (n < most && a[n] && lower((unsigned char)a[n]) == lower((unsigned char)b[n])) n = n + 1;
  if (n < most) result = lower((unsigned char)a[n]) - lower((unsigned char)b[n]);
  return result;
}
// The next word, between characters of the set; `rest` is where the text goes on.
char *strtok_r(char *s, const char *set, char **rest) {
  char *at = s ? s : *rest, *word = 0;
  while (*at && is_in(*at, set)) at = at + 1;
  if (*at) {
    word = at;
    while (*at && !is_in(*at, set)) at = at + 1;
    if (*at) {
      *at = 0;
      at = at + 1;
    }
  }
  *rest = at;
  return word;
}
static char *token_rest;
char *strtok(char *s, const char *set) { return strtok_r(s, set, &token_rest); }
char *strsep(char **s, const char *set) {
  char *word = *s, *at = *s;
  if (word) {
    while (*at && !is_in(*at, set)) at = at + 1;
    if (*at) {
      *at = 0;
      *s = at + 1;
    } else
      *s = (char *)0;
  }
  return word;
}
char *stpncpy(char *to, const char *from, size_t most) {
  strncpy(to, from, most);
  return to + strnlen(from, most);
}
size_t strxfrm(char *to, const char *from, size_t size) { return strlcpy(to, from, size); }
size_t strlcpy(char *to, const char *from, size_t size) {
  size_t n = 0;
  while (from[n]) {
    if (n + 1 < size) to[n] = from[n];
    n = n + 1;
  }
  if (size > 0) to[n < size ? n : size - 1] = 0;
  return n;
}
size_t strlcat(char *to, const char *from, size_t size) {
  size_t end = 0, n = 0;
  while (end < size && to[end]) end = end + 1;
  while (from[n]) {
    if (end + n + 1 < size) to[end + n] = from[n];
    n = n + 1;
  }
  if (end < size) to[end + n < size ? end + n : size - 1] = 0;
  return end + n;
}
char *strndup(const char *s, size_t most) {
  size_t length = 0, n = 0;
  while (length < most && s[length]) length = length + 1;
  char *copy = malloc(length + 1);
  while (n < length) {
    copy[n] = s[n];
    n = n + 1;
  }
  copy[length] = 0;
  return copy;
}
char *strdup(const char *s) {
  size_t length = 0, n = 0;
  while (s[length]) length = length + 1;
  char *copy = malloc(length + 1);
  while (n <= length) {
    copy[n] = s[n];
    n = n + 1;
  }
  return copy;
}
// Both must have all characters, also those after the first ones that differ (C17 7.1.4; of `memchr` and `strncmp` the standard says otherwise).
int memcmp(const void *a, const void *b, size_t size) {
  const unsigned char *x = a, *y = b;
  size_t n = 0;
  while (n < size && x[n] == y[n]) n = n + 1;
  int result = 0;
  if (n < size) {
    result = x[n] - y[n];
    if (__braid_reads() && !__braid_races()) {
      unsigned char last = x[size - 1];
      last = y[size - 1];
    }
  }
  return result;
}
int bcmp(const void *a, const void *b, size_t size) { return memcmp(a, b, size); }
void *memchr(const void *s, int c, size_t size) {
  const unsigned char *x = s;
  size_t n = 0;
  while (n < size && x[n] != (unsigned char)c) n = n + 1;
  return n < size ? (void *)(x + n) : (void *)0;
}
void *memrchr(const void *s, int c, size_t size) {
  const unsigned char *x = s;
  size_t n = size;
  while (n > 0 && x[n - 1] != (unsigned char)c) n = n - 1;
  return n > 0 ? (void *)(x + n - 1) : (void *)0;
}
void *rawmemchr(const void *s, int c) {
  const unsigned char *x = s;
  size_t n = 0;
  while (x[n] != (unsigned char)c) n = n + 1;
  return (void *)(x + n);
}
void *memmem(const void *s, size_t size, const void *part, size_t length) {
  const unsigned char *x = s;
  size_t n = 0;
  while (n + length <= size && memcmp(x + n, part, length) != 0) n = n + 1;
  return n + length <= size ? (void *)(x + n) : (void *)0;
}
void *memccpy(void *to, const void *from, int c, size_t size) {
  unsigned char *x = to;
  const unsigned char *y = from;
  size_t n = 0;
  while (n < size && y[n] != (unsigned char)c) {
    x[n] = y[n];
    n = n + 1;
  }
  if (n < size) x[n] = y[n];
  return n < size ? (void *)(x + n + 1) : (void *)0;
}
void *mempcpy(__auto_type to, __auto_type from, size_t size) { return (char *)memcpy(to, from, size) + size; }
void bcopy(__auto_type from, __auto_type to, size_t size) { memmove(to, from, size); }
void bzero(__auto_type to, size_t size) { memset(to, 0, size); }
void explicit_bzero(__auto_type to, size_t size) { memset(to, 0, size); }
