// What the family of printf writes. A format is taken apart where it is read; each of its pieces is one call here, which gets how many
// characters there are so far and gives how many there are then. Of them, as many are written as there is room.

enum { LEFT = 1, ZEROS = 2, PLUS = 4, SPACE = 8, PREFIX = 16, UPPER = 32 };

static unsigned long put(char *to, unsigned long size, unsigned long at, char c) {
  if (at + 1 < size) to[at] = c;
  return at + 1;
}
static unsigned long put_many(char *to, unsigned long size, unsigned long at, char c, int count) {
  while (count > 0) {
    at = put(to, size, at, c);
    count = count - 1;
  }
  return at;
}
unsigned long __put_text(char *to, unsigned long size, unsigned long at, const char *text, unsigned long length) {
  unsigned long n = 0;
  while (n < length) {
    at = put(to, size, at, text[n]);
    n = n + 1;
  }
  return at;
}
// A width that is given as a negative number means the left side.
static int room(int width) { return width < 0 ? -width : width; }
static int with_side(int width, int flags) { return width < 0 ? flags | LEFT : flags; }
static unsigned long put_string(char *to, unsigned long size, unsigned long at, const char *text, int width, int precision, int flags) {
  int length = 0;
  while ((precision < 0 || length < precision) && text[length]) length = length + 1;
  if (!(flags & LEFT)) at = put_many(to, size, at, ' ', width - length);
  int n = 0;
  while (n < length) {
    at = put(to, size, at, text[n]);
    n = n + 1;
  }
  if (flags & LEFT) at = put_many(to, size, at, ' ', width - length);
  return at;
}
unsigned long __put_string(char *to, unsigned long size, unsigned long at, const char *text, int width, int precision, int flags) {
  return put_string(to, size, at, text, room(width), precision, with_side(width, flags));
}
static unsigned long put_char(char *to, unsigned long size, unsigned long at, int c, int width, int flags) {
  if (!(flags & LEFT)) at = put_many(to, size, at, ' ', width - 1);
  at = put(to, size, at, (char)c);
  if (flags & LEFT) at = put_many(to, size, at, ' ', width - 1);
  return at;
}
unsigned long __put_char(char *to, unsigned long size, unsigned long at, int c, int width, int precision, int flags) {
  return put_char(to, size, at, c, room(width), with_side(width, flags));
}
// The digits of a number behind what stands in front of it: nothing, a sign, or 0x.
static unsigned long put_number(char *to, unsigned long size, unsigned long at, unsigned long long value, unsigned base, int sign, int prefix, int width, int precision, int flags) {
  unsigned long long unit = 1;
  int digits = value || precision != 0;
  while (value / unit >= base) {
    unit = unit * base;
    digits = digits + 1;
  }
  int zeros = precision > digits ? precision - digits : 0;
  if (base == 8 && flags & PREFIX && zeros == 0 && (value || precision == 0)) zeros = 1;
  int length = digits + zeros + (sign != 0) + (prefix ? 2 : 0);
  if (flags & ZEROS && !(flags & LEFT) && precision < 0 && width > length) {
    zeros = zeros + width - length;
    length = width;
  }
  if (!(flags & LEFT)) at = put_many(to, size, at, ' ', width - length);
  if (sign) at = put(to, size, at, (char)sign);
  if (prefix) {
    at = put(to, size, at, '0');
    at = put(to, size, at, flags & UPPER ? 'X' : 'x');
  }
  at = put_many(to, size, at, '0', zeros);
  if (value || precision != 0)
    while (unit > 0) {
      int digit = (int)(value / unit % base);
      at = put(to, size, at, (char)(digit < 10 ? '0' + digit : (flags & UPPER ? 'A' : 'a') + digit - 10));
      unit = unit / base;
    }
  if (flags & LEFT) at = put_many(to, size, at, ' ', width - length);
  return at;
}
unsigned long __put_signed(char *to, unsigned long size, unsigned long at, long long value, int width, int precision, int flags) {
  int sign = value < 0 ? '-' : flags & PLUS ? '+' : flags & SPACE ? ' ' : 0;
  unsigned long long magnitude = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
  return put_number(to, size, at, magnitude, 10, sign, 0, room(width), precision, with_side(width, flags));
}
unsigned long __put_unsigned(char *to, unsigned long size, unsigned long at, unsigned long long value, int width, int precision, int flags) {
  return put_number(to, size, at, value, 10, 0, 0, room(width), precision, with_side(width, flags));
}
unsigned long __put_octal(char *to, unsigned long size, unsigned long at, unsigned long long value, int width, int precision, int flags) {
  return put_number(to, size, at, value, 8, 0, 0, room(width), precision, with_side(width, flags));
}
unsigned long __put_hex(char *to, unsigned long size, unsigned long at, unsigned long long value, int width, int precision, int flags) {
  return put_number(to, size, at, value, 16, 0, flags & PREFIX && value, room(width), precision, with_side(width, flags));
}
int __put_end(char *to, unsigned long size, unsigned long at) {
  if (size > 0) to[at < size ? at : size - 1] = 0;
  return (int)at;
}
void *__put_block(unsigned long size) { return malloc(size); }
