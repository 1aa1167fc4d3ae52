// Floating-point numbers in the formats of printf: %f, %e and %g. A number is taken apart exactly: what is in front of the point, and what is
// behind it as bits, of which multiplications by 10 give the digits. What is left at the end decides how the last digit is rounded,
// to nearest even, as glibc does it. Numbers of 2^63 and more, and formats with more than 17 digits, are not supported.

enum { BEHIND = 120, MOST_DIGITS = 17, MOST_ZEROS = 20 };
typedef unsigned __int128 bits_behind;

static void take_apart(double x, unsigned long long *whole, bits_behind *rest, _Bool *more) {
  if (!(x < 0x1p63)) __braid_unsupported("a number of this size in a format");
  *whole = (unsigned long long)x;
  double scaled = (x - (double)*whole) * 0x1p60;
  unsigned long long high = (unsigned long long)scaled;
  scaled = (scaled - (double)high) * 0x1p60;
  unsigned long long low = (unsigned long long)scaled;
  *rest = (bits_behind)high << 60 | low;
  *more = scaled != (double)low;
}
static int next_digit(bits_behind *rest) {
  bits_behind moved = *rest * 10;
  *rest = moved & (((bits_behind)1 << BEHIND) - 1);
  return (int)(moved >> BEHIND);
}
// Is what is left more than a half, or a half where the last digit is odd?
static _Bool rounds_up(bits_behind rest, _Bool more, unsigned long long digits) {
  bits_behind half = (bits_behind)1 << (BEHIND - 1);
  return rest > half || (rest == half && (more || digits % 2 == 1));
}
static unsigned long long power_of_ten(int exponent) {
  unsigned long long power = 1;
  while (exponent > 0) {
    power = power * 10;
    exponent = exponent - 1;
  }
  return power;
}
static int count_digits(unsigned long long value) {
  int count = 1;
  while (value >= 10) {
    value = value / 10;
    count = count + 1;
  }
  return count;
}
// The first digits of a number, as one number, and the power of ten that the first of them stands for.
static unsigned long long first_digits(double x, int count, int *exponent) {
  unsigned long long digits, whole;
  bits_behind rest;
  _Bool more, up;
  int known = 0, zeros = 0;
  take_apart(x, &whole, &rest, &more);
  digits = whole;
  if (whole > 0) known = count_digits(whole);
  *exponent = known - 1;
  if (x == 0) *exponent = 0;
  while (known < count) {
    int digit = next_digit(&rest);
    if (known == 0 && digit == 0 && x > 0) {
      *exponent = *exponent - 1;
      zeros = zeros + 1;
      if (zeros > MOST_ZEROS) __braid_unsupported("a number of this size in a format");
    } else {
      digits = digits * 10 + (unsigned long long)digit;
      known = known + 1;
    }
  }
  if (known > count) {
    unsigned long long unit = power_of_ten(known - count), left = digits % unit;
    digits = digits / unit;
    up = left > unit / 2 || (left == unit / 2 && (rest > 0 || more || digits % 2 == 1));
  } else
    up = rounds_up(rest, more, digits);
  if (up) digits = digits + 1;
  if (digits == power_of_ten(count)) {
    digits = digits / 10;
    *exponent = *exponent + 1;
  }
  return digits;
}
static int sign_of(double x, int flags) { return __builtin_signbit(x) ? '-' : flags & PLUS ? '+' : flags & SPACE ? ' ' : 0; }

// A number with so many places behind the point, and (scientific) an exponent, in a field.
static unsigned long put_parts(char *to, unsigned long size, unsigned long at, int sign, unsigned long long whole, unsigned long long behind, int places, _Bool scientific, int exponent, int width, int flags) {
  _Bool point = places > 0 || flags & PREFIX;
  int magnitude = exponent < 0 ? -exponent : exponent;
  int length = (sign != 0) + count_digits(whole) + point + places + (scientific ? magnitude < 100 ? 4 : 5 : 0);
  if (!(flags & LEFT) && !(flags & ZEROS)) at = put_many(to, size, at, ' ', width - length);
  if (sign) at = put(to, size, at, (char)sign);
  if (!(flags & LEFT) && flags & ZEROS) at = put_many(to, size, at, '0', width - length);
  at = put_number(to, size, at, whole, 10, 0, 0, 0, -1, 0);
  if (point) at = put(to, size, at, '.');
  if (places > 0) at = put_number(to, size, at, behind, 10, 0, 0, 0, places, 0);
  if (scientific) {
    at = put(to, size, at, flags & UPPER ? 'E' : 'e');
    at = put(to, size, at, exponent < 0 ? '-' : '+');
    at = put_number(to, size, at, (unsigned long long)magnitude, 10, 0, 0, 0, 2, 0);
  }
  if (flags & LEFT) at = put_many(to, size, at, ' ', width - length);
  return at;
}
static unsigned long put_fixed(char *to, unsigned long size, unsigned long at, double value, int width, int places, int flags) {
  unsigned long long whole, behind = 0;
  bits_behind rest;
  _Bool more;
  if (places > MOST_DIGITS) __braid_unsupported("a format with so many digits");
  take_apart(__braid_copysign(value, (double)1), &whole, &rest, &more);
  for (int n = 0; n < places; n = n + 1) behind = behind * 10 + (unsigned long long)next_digit(&rest);
  if (rounds_up(rest, more, places > 0 ? behind : whole)) {
    if (places > 0) behind = behind + 1;
    if (places == 0 || behind == power_of_ten(places)) {
      behind = 0;
      whole = whole + 1;
    }
  }
  return put_parts(to, size, at, sign_of(value, flags), whole, behind, places, 0, 0, width, flags);
}
static unsigned long put_exponent(char *to, unsigned long size, unsigned long at, double value, int width, int places, int flags) {
  int exponent;
  if (places >= MOST_DIGITS) __braid_unsupported("a format with so many digits");
  unsigned long long digits = first_digits(__braid_copysign(value, (double)1), places + 1, &exponent), unit = power_of_ten(places);
  return put_parts(to, size, at, sign_of(value, flags), digits / unit, digits % unit, places, 1, exponent, width, flags);
}
unsigned long __put_fixed(char *to, unsigned long size, unsigned long at, double value, int width, int precision, int flags) {
  return put_fixed(to, size, at, value, room(width), precision < 0 ? 6 : precision, with_side(width, flags));
}
unsigned long __put_exponent(char *to, unsigned long size, unsigned long at, double value, int width, int precision, int flags) {
  return put_exponent(to, size, at, value, room(width), precision < 0 ? 6 : precision, with_side(width, flags));
}
// The shorter of both, without zeros at the end.
unsigned long __put_general(char *to, unsigned long size, unsigned long at, double value, int width, int precision, int flags) {
  int exponent, asked = precision < 0 ? 6 : precision == 0 ? 1 : precision, count = asked, side = with_side(width, flags);
  if (count > MOST_DIGITS) __braid_unsupported("a format with so many digits");
  unsigned long long digits = first_digits(__braid_copysign(value, (double)1), count, &exponent);
  _Bool scientific = exponent < -4 || exponent >= asked;
  if (!(flags & PREFIX))
    while (count > 1 && digits % 10 == 0 && (scientific || count > exponent + 1)) {
      digits = digits / 10;
      count = count - 1;
    }
  if (scientific) {
    unsigned long long unit = power_of_ten(count - 1);
    return put_parts(to, size, at, sign_of(value, flags), digits / unit, digits % unit, count - 1, 1, exponent, room(width), side);
  }
  int places = count - 1 - exponent > 0 ? count - 1 - exponent : 0;
  unsigned long long unit = power_of_ten(exponent < 0 ? count : places);
  unsigned long long whole = exponent < 0 ? 0 : digits / unit;
  return put_parts(to, size, at, sign_of(value, flags), whole, digits % unit, places, 0, 0, room(width), side);
}
