// Floating-point functions whose results are exact or rounded once. The rest (sin, exp, pow, ...) have no body: they may return any value.

// The sign is a bit, also of what is not a number.
double copysign(double x, double y) { return __braid_copysign(x, y); }
float copysignf(float x, float y) { return __braid_copysign(x, y); }
long double copysignl(long double x, long double y) { return __braid_copysign(x, y); }
double fabs(double x) { return __braid_copysign(x, (double)1); }
float fabsf(float x) { return __braid_copysign(x, (float)1); }
long double fabsl(long double x) { return __braid_copysign(x, (long double)1); }

double sqrt(double x) { return __braid_sqrt(x); }
float sqrtf(float x) { return __braid_sqrt(x); }
long double sqrtl(long double x) { return __braid_sqrt(x); }
double fma(double x, double y, double z) { return __braid_fma(x, y, z); }
float fmaf(float x, float y, float z) { return __braid_fma(x, y, z); }
long double fmal(long double x, long double y, long double z) { return __braid_fma(x, y, z); }

// To integers, as floats.
double floor(double x) { return __braid_floor(x); }
float floorf(float x) { return __braid_floor(x); }
long double floorl(long double x) { return __braid_floor(x); }
double ceil(double x) { return __braid_ceil(x); }
float ceilf(float x) { return __braid_ceil(x); }
long double ceill(long double x) { return __braid_ceil(x); }
double trunc(double x) { return __braid_trunc(x); }
float truncf(float x) { return __braid_trunc(x); }
long double truncl(long double x) { return __braid_trunc(x); }
double round(double x) { return __braid_round(x); }
float roundf(float x) { return __braid_round(x); }
long double roundl(long double x) { return __braid_round(x); }
double rint(double x) { return __braid_rint(x); }
float rintf(float x) { return __braid_rint(x); }
long double rintl(long double x) { return __braid_rint(x); }
double nearbyint(double x) { return __braid_rint(x); }
float nearbyintf(float x) { return __braid_rint(x); }
long double nearbyintl(long double x) { return __braid_rint(x); }
double roundeven(double x) { return __braid_rint(x); }
float roundevenf(float x) { return __braid_rint(x); }
long double roundevenl(long double x) { return __braid_rint(x); }

// To integers.
long lround(double x) { return (long)__braid_round(x); }
long lroundf(float x) { return (long)__braid_round(x); }
long lroundl(long double x) { return (long)__braid_round(x); }
long long llround(double x) { return (long long)__braid_round(x); }
long long llroundf(float x) { return (long long)__braid_round(x); }
long long llroundl(long double x) { return (long long)__braid_round(x); }
long lrint(double x) { return (long)__braid_rint(x); }
long lrintf(float x) { return (long)__braid_rint(x); }
long lrintl(long double x) { return (long)__braid_rint(x); }
long long llrint(double x) { return (long long)__braid_rint(x); }
long long llrintf(float x) { return (long long)__braid_rint(x); }
long long llrintl(long double x) { return (long long)__braid_rint(x); }

// The smaller and the larger one; a number wins over what is none.
double fmin(double x, double y) { return x < y || y != y ? x : y; }
float fminf(float x, float y) { return x < y || y != y ? x : y; }
long double fminl(long double x, long double y) { return x < y || y != y ? x : y; }
double fmax(double x, double y) { return x > y || y != y ? x : y; }
float fmaxf(float x, float y) { return x > y || y != y ? x : y; }
long double fmaxl(long double x, long double y) { return x > y || y != y ? x : y; }
double fdim(double x, double y) { return x > y ? x - y : x <= y ? (double)0 : x + y; }
float fdimf(float x, float y) { return x > y ? x - y : x <= y ? (float)0 : x + y; }
long double fdiml(long double x, long double y) { return x > y ? x - y : x <= y ? (long double)0 : x + y; }

// Remainders are exact. The quotient is rounded to the nearest integer, or (fmod) towards zero.
double remainder(double x, double y) { return __braid_remainder(x, y); }
float remainderf(float x, float y) { return __braid_remainder(x, y); }
long double remainderl(long double x, long double y) { return __braid_remainder(x, y); }
double fmod(double x, double y) { double r = __braid_remainder(fabs(x), fabs(y)); return r != r ? r : copysign(r < 0 ? r + fabs(y) : r, x); }
float fmodf(float x, float y) { float r = __braid_remainder(fabsf(x), fabsf(y)); return r != r ? r : copysignf(r < 0 ? r + fabsf(y) : r, x); }
long double fmodl(long double x, long double y) { long double r = __braid_remainder(fabsl(x), fabsl(y)); return r != r ? r : copysignl(r < 0 ? r + fabsl(y) : r, x); }

// The smallest number of a type that is exact to the last place.
static long double smallest(unsigned long size) {
  return size == 4 ? 0x1p-126L : size == 8 ? 0x1p-1022L : 0x1p-16382L;
}

// Powers of two. Parts of numbers are exact; what gets too small to be exact is not modelled.
static __auto_type scaled(__auto_type x, int n) {
  while (n > 0 && x != 0 && x - x == 0) {
    x = x * 2;
    n = n - 1;
  }
  while (n < 0 && x != 0 && x - x == 0) {
    if (x < 2 * smallest(sizeof x) && -x < 2 * smallest(sizeof x)) __braid_unsupported("a number that gets too small to be exact");
    x = x / 2;
    n = n + 1;
  }
  return x;
}
// Between 1/2 and 1, and the power of two that it was taken times of.
static __auto_type normalised(__auto_type x, int *power) {
  *power = 0;
  while (x != 0 && x - x == 0 && (x >= 1 || -x >= 1)) {
    x = x / 2;
    *power = *power + 1;
  }
  while (x != 0 && x - x == 0 && x < (__typeof__(x))0.5 && -x < (__typeof__(x))0.5) {
    x = x * 2;
    *power = *power - 1;
  }
  return x;
}
double ldexp(double x, int n) { return scaled(x, n); }
float ldexpf(float x, int n) { return scaled(x, n); }
long double ldexpl(long double x, int n) { return scaled(x, n); }
double scalbn(double x, int n) { return scaled(x, n); }
float scalbnf(float x, int n) { return scaled(x, n); }
long double scalbnl(long double x, int n) { return scaled(x, n); }
double frexp(double x, int *power) { return normalised(x, power); }
float frexpf(float x, int *power) { return normalised(x, power); }
long double frexpl(long double x, int *power) { return normalised(x, power); }
double modf(double x, double *whole) {
  *whole = trunc(x);
  return copysign(x - x == 0 ? x - trunc(x) : x == x ? (double)0 : x, x);
}
float modff(float x, float *whole) {
  *whole = truncf(x);
  return copysignf(x - x == 0 ? x - truncf(x) : x == x ? (float)0 : x, x);
}
long double modfl(long double x, long double *whole) {
  *whole = truncl(x);
  return copysignl(x - x == 0 ? x - truncl(x) : x == x ? (long double)0 : x, x);
}

// What kind of number it is, whatever its type.
int __builtin_isnan(__auto_type x) { return x != x; }
int __builtin_isinf(__auto_type x) { return x - x != x - x && x == x; }
int __builtin_isinf_sign(__auto_type x) { return x - x != x - x && x == x ? (x < 0 ? -1 : 1) : 0; }
int __builtin_isfinite(__auto_type x) { return x - x == x - x; }
int __builtin_finite(__auto_type x) { return x - x == x - x; }
int __builtin_signbit(__auto_type x) { return __braid_copysign((__typeof__(x))1, x) < 0; }
int __builtin_isnormal(__auto_type x) {
  return x - x == x - x && (x >= smallest(sizeof x) || -x >= smallest(sizeof x));
}
int __builtin_fpclassify(int nan, int infinite, int normal, int subnormal, int zero, __auto_type x) {
  return x != x ? nan : x - x != x - x ? infinite : __builtin_isnormal(x) ? normal : x != 0 ? subnormal : zero;
}

int isnan(double x) { return x != x; }
int isnanf(float x) { return x != x; }
int isnanl(long double x) { return x != x; }
int isinf(double x) { return x - x != x - x && x == x ? (x < 0 ? -1 : 1) : 0; }
int isinff(float x) { return x - x != x - x && x == x ? (x < 0 ? -1 : 1) : 0; }
int isinfl(long double x) { return x - x != x - x && x == x ? (x < 0 ? -1 : 1) : 0; }
int finite(double x) { return x - x == x - x; }
int finitef(float x) { return x - x == x - x; }
int finitel(long double x) { return x - x == x - x; }
int __builtin_signbitf(float x) { return __braid_copysign((float)1, x) < 0; }
int __builtin_signbitl(long double x) { return __braid_copysign((long double)1, x) < 0; }
int __signbit(double x) { return __braid_copysign((double)1, x) < 0; }
int __isnan(double x) { return x != x; }
int __isinf(double x) { return x - x != x - x && x == x ? (x < 0 ? -1 : 1) : 0; }
int __finite(double x) { return x - x == x - x; }
int __signbitf(float x) { return __braid_copysign((float)1, x) < 0; }
int __isnanf(float x) { return x != x; }
int __isinff(float x) { return x - x != x - x && x == x ? (x < 0 ? -1 : 1) : 0; }
int __finitef(float x) { return x - x == x - x; }
int __signbitl(long double x) { return __braid_copysign((long double)1, x) < 0; }
int __isnanl(long double x) { return x != x; }
int __isinfl(long double x) { return x - x != x - x && x == x ? (x < 0 ? -1 : 1) : 0; }
int __finitel(long double x) { return x - x == x - x; }

// Comparisons that give no signal.
int __builtin_isgreater(__auto_type x, __auto_type y) { return x > y; }
int __builtin_isgreaterequal(__auto_type x, __auto_type y) { return x >= y; }
int __builtin_isless(__auto_type x, __auto_type y) { return x < y; }
int __builtin_islessequal(__auto_type x, __auto_type y) { return x <= y; }
int __builtin_islessgreater(__auto_type x, __auto_type y) { return x < y || x > y; }
int __builtin_isunordered(__auto_type x, __auto_type y) { return x != x || y != y; }

// Numbers in texts. Up to 2^53 and 10^22, digits and powers of ten are exact, so that one operation rounds once. Other numbers are not modelled.
static double tens(int n) {
  double power = 1;
  for (; n > 0; n = n - 1) power = power * 10;
  return power;
}
static _Bool is_word(const char *s, const char *word) { return tolower(s[0]) == word[0] && tolower(s[1]) == word[1] && tolower(s[2]) == word[2]; }
static double real(const char *s, char **end, unsigned long long most, int largest_power) {
  unsigned long at = 0, from = 0;
  unsigned long long digits = 0;
  int power = 0, exponent = 0;
  double value = 0;
  while (isspace((unsigned char)s[at])) at = at + 1;
  _Bool negative = s[at] == '-';
  if (s[at] == '-' || s[at] == '+') at = at + 1;
  if (s[at] == '0' && (s[at + 1] == 'x' || s[at + 1] == 'X')) __braid_unsupported("a hexadecimal number in a text");
  if (is_word(s + at, "inf") || is_word(s + at, "nan")) __braid_unsupported("infinity, or what is no number, in a text");
  _Bool fraction = 0;
  while (isdigit(s[at]) || (s[at] == '.' && !fraction && (isdigit(s[at + 1]) || from))) {
    if (s[at] == '.') fraction = 1;
    else {
      if (digits > most / 10 - 1) __braid_unsupported("a number of so many digits in a text");
      digits = digits * 10 + (unsigned long long)(s[at] - '0');
      if (fraction) power = power - 1;
    }
    at = at + 1;
    from = at;
  }
  if (from && (s[at] == 'e' || s[at] == 'E')) {
    _Bool small = s[at + 1] == '-';
    at = at + (s[at + 1] == '-' || s[at + 1] == '+' ? 2 : 1);
    while (isdigit(s[at])) {
      if (exponent < 1000) exponent = exponent * 10 + (s[at] - '0');
      at = at + 1;
      from = at;
    }
    power = small ? power - exponent : power + exponent;
  }
  if (digits) {
    if (power > largest_power || power < -largest_power) __braid_unsupported("a number with such an exponent in a text");
    value = (double)digits;
    value = power < 0 ? value / tens(-power) : value * tens(power);
  }
  if (end) *end = (char *)s + from;
  return negative ? -value : value;
}
double strtod(const char *s, char **end) { return real(s, end, 1ull << 53, 22); }
double atof(const char *s) { return real(s, 0, 1ull << 53, 22); }
float strtof(const char *s, char **end) { return (float)real(s, end, 1ull << 24, 10); }
