// What sscanf reads from a text. A format is taken apart where it is read; each of its pieces is one call here, which gets where it begins
// and gives where it ends. Where the text does not fit, it is known what sscanf gives: that goes on as a negative number.

static long long scan_gives(long long result) { return -2 - result; }
// The text ends in front of a value: that is an error only where there was none before.
static long long scan_ends(int count) { return scan_gives(count > 0 ? count : -1); }

long long __take_space(const char *s, long long at) {
  if (at >= 0)
    while (isspace((unsigned char)s[at])) at = at + 1;
  return at;
}
long long __take_text(const char *s, long long at, int count, const char *text, int length) {
  int n = 0;
  while (at >= 0 && n < length) {
    at = s[at] == text[n] ? at + 1 : s[at] ? scan_gives(count) : scan_ends(count);
    n = n + 1;
  }
  return at;
}
long long __take_number(const char *s, long long at, int count, int base, int width, __auto_type to) {
  if (at >= 0 && s[at] == 0) at = scan_ends(count);
  if (at >= 0) {
    long long last = at + (width > 0 ? width : 1 << 30);
    unsigned long long value = 0;
    _Bool negative = s[at] == '-', large = 0;
    if (s[at] == '-' || s[at] == '+') at = at + 1;
    if ((base == 0 || base == 16) && at + 1 < last && s[at] == '0' && (s[at + 1] == 'x' || s[at + 1] == 'X')) {
      if (at + 2 >= last || digit(s[at + 2]) >= 16) __braid_unsupported("0x without digits in a text");
      at = at + 2;
      base = 16;
    } else if (base == 0)
      base = s[at] == '0' ? 8 : 10;
    long long start = at;
    while (at < last && digit(s[at]) < base) {
      large = large || value > ((~0ull) >> 4);
      value = value * (unsigned long long)base + (unsigned long long)digit(s[at]);
      at = at + 1;
    }
    if (at == start) at = scan_gives(count);
    else if (to) {
      int unused = 64 - 8 * (int)sizeof(*to) + ((__typeof__(*to))-1 < 0);
      // Of a number that its type has no room for, nothing is said in C.
      if (large || value > ((~0ull) >> unused) + (unsigned long long)(negative && (__typeof__(*to))-1 < 0)) {
        __typeof__(*to) any;
        __braid_inexact("a number of this size in a text");
        *to = any;
      } else
        *to = (__typeof__(*to))(negative ? 0 - value : value);
    }
  }
  return at;
}
long long __take_real(const char *s, long long at, int count, __auto_type to) {
  if (at >= 0 && s[at] == 0) at = scan_ends(count);
  if (at >= 0) {
    char *end = (char *)s;
    _Bool is_float = sizeof(*to) == sizeof(float);
    double value = real(s + at, &end, is_float ? 1ull << 24 : 1ull << 53, is_float ? 10 : 22);
    if (*end == 'e' || *end == 'E') __braid_unsupported("an exponent without digits in a text");
    if (end == s + at) at = scan_gives(count);
    else {
      if (to) *to = (__typeof__(*to))value;
      at = end - s;
    }
  }
  return at;
}
// At least one character of a set, or of the others; a text of them is stored.
long long __take_characters(const char *s, long long at, int count, const char *set, int length, int others, int width, char *to) {
  if (at >= 0 && s[at] == 0) at = scan_ends(count);
  if (at >= 0) {
    int n = 0;
    _Bool fits = 1;
    while (fits && (width == 0 || n < width) && s[at + n]) {
      int m = 0;
      while (m < length && set[m] != s[at + n]) m = m + 1;
      fits = (m < length) != (others != 0);
      if (fits) {
        if (to) to[n] = s[at + n];
        n = n + 1;
      }
    }
    if (n == 0) at = scan_gives(count);
    else {
      if (to) to[n] = 0;
      at = at + n;
    }
  }
  return at;
}
long long __take_character(const char *s, long long at, int count, char *to) {
  if (at >= 0 && s[at] == 0) at = scan_ends(count);
  if (at >= 0) {
    if (to) *to = s[at];
    at = at + 1;
  }
  return at;
}
long long __take_place(const char *s, long long at, int count, int *to) {
  if (at >= 0 && to) *to = (int)at;
  return at;
}
int __taken(long long at, int count) { return at < 0 ? (int)(-2 - at) : count; }
