// Numbers, characters, and what is random.

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }
__auto_type imaxabs(__auto_type x) { return x < 0 ? -x : x; }
int __builtin_abs(int x) { return x < 0 ? -x : x; }
long __builtin_labs(long x) { return x < 0 ? -x : x; }
long long __builtin_llabs(long long x) { return x < 0 ? -x : x; }

// Quotient and remainder, in the program's own record.
__auto_type div(int a, int b) {
  __typeof__(__braid_result()) both;
  both.quot = a / b;
  both.rem = a % b;
  return both;
}
__auto_type ldiv(long a, long b) {
  __typeof__(__braid_result()) both;
  both.quot = a / b;
  both.rem = a % b;
  return both;
}
__auto_type lldiv(long long a, long long b) {
  __typeof__(__braid_result()) both;
  both.quot = a / b;
  both.rem = a % b;
  return both;
}

__auto_type imaxdiv(long long a, long long b) {
  __typeof__(__braid_result()) both;
  both.quot = a / b;
  both.rem = a % b;
  return both;
}

// Bits: how many are set, and how many zeros come before the first or after the last. Where there is none, the result of the latter is not defined.
static int ones(unsigned long long x, int width) {
  int n = 0;
  for (int bit = 0; bit < width; bit = bit + 1) n = n + (int)(x >> bit & 1);
  return n;
}
static int trailing(unsigned long long x, int width) {
  int n = 0;
  while (n < width && !(x >> n & 1)) n = n + 1;
  return n;
}
static int leading(unsigned long long x, int width) {
  int n = 0;
  while (n < width && !(x >> (width - 1 - n) & 1)) n = n + 1;
  return n;
}
enum { LONG = 8 * sizeof(long) };
int __builtin_popcount(unsigned x) { return ones(x, 32); }
int __builtin_popcountl(unsigned long x) { return ones(x, LONG); }
int __builtin_popcountll(unsigned long long x) { return ones(x, 64); }
int __builtin_parity(unsigned x) { return ones(x, 32) & 1; }
int __builtin_parityl(unsigned long x) { return ones(x, LONG) & 1; }
int __builtin_parityll(unsigned long long x) { return ones(x, 64) & 1; }
int __builtin_ctz(unsigned x) {
  __braid_require(x != 0);
  return trailing(x, 32);
}
int __builtin_ctzl(unsigned long x) {
  __braid_require(x != 0);
  return trailing(x, LONG);
}
int __builtin_ctzll(unsigned long long x) {
  __braid_require(x != 0);
  return trailing(x, 64);
}
int __builtin_clz(unsigned x) {
  __braid_require(x != 0);
  return leading(x, 32);
}
int __builtin_clzl(unsigned long x) {
  __braid_require(x != 0);
  return leading(x, LONG);
}
int __builtin_clzll(unsigned long long x) {
  __braid_require(x != 0);
  return leading(x, 64);
}
int ffs(int x) { return x ? trailing((unsigned)x, 32) + 1 : 0; }
int ffsl(long x) { return x ? trailing((unsigned long)x, LONG) + 1 : 0; }
int ffsll(long long x) { return x ? trailing((unsigned long long)x, 64) + 1 : 0; }
int __builtin_ffs(int x) { return ffs(x); }
int __builtin_ffsl(long x) { return ffsl(x); }
int __builtin_ffsll(long long x) { return ffsll(x); }
// How many bits after the first are like it.
int __builtin_clrsb(int x) { return leading((unsigned)(x < 0 ? ~x : x), 32) - 1; }
int __builtin_clrsbl(long x) { return leading((unsigned long)(x < 0 ? ~x : x), LONG) - 1; }
int __builtin_clrsbll(long long x) { return leading((unsigned long long)(x < 0 ? ~x : x), 64) - 1; }
unsigned short __builtin_bswap16(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
unsigned __builtin_bswap32(unsigned x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }
unsigned long long __builtin_bswap64(unsigned long long x) {
  return (unsigned long long)__builtin_bswap32((unsigned)x) << 32 | __builtin_bswap32((unsigned)(x >> 32));
}
void __builtin_prefetch(const void *address, ...) {}
void __builtin_ia32_pause(void) {}

// Arithmetic on exact numbers: is the result out of range? A product of two unsigned numbers of 64 bits fits only without a sign.
_Bool __builtin_add_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a + (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_sub_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a - (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_mul_overflow(__auto_type a, __auto_type b, __auto_type to) {
  _Bool negative = (a < 0) != (b < 0);
  unsigned __int128 x = a, y = b, exact;
  if (a < 0) x = -x;
  if (b < 0) y = -y;
  exact = x * y;
  *to = negative ? -exact : exact;
  return negative ? *to > 0 || -(unsigned __int128)*to != exact : *to < 0 || *to != exact;
}// These convert their arguments to the type in their name first.
// The last argument only says of which type the result would be.
_Bool __builtin_add_overflow_p(__auto_type a, __auto_type b, __auto_type type) { return __builtin_add_overflow(a, b, &type); }
_Bool __builtin_sub_overflow_p(__auto_type a, __auto_type b, __auto_type type) { return __builtin_sub_overflow(a, b, &type); }
_Bool __builtin_mul_overflow_p(__auto_type a, __auto_type b, __auto_type type) { return __builtin_mul_overflow(a, b, &type); }
_Bool __builtin_sadd_overflow(int a, int b, int *to) { return __builtin_add_overflow(a, b, to); }
_Bool __builtin_saddl_overflow(long a, long b, long *to) { return __builtin_add_overflow(a, b, to); }
_Bool __builtin_saddll_overflow(long long a, long long b, long long *to) { return __builtin_add_overflow(a, b, to); }
_Bool __builtin_uadd_overflow(unsigned a, unsigned b, unsigned *to) { return __builtin_add_overflow(a, b, to); }
_Bool __builtin_uaddl_overflow(unsigned long a, unsigned long b, unsigned long *to) { return __builtin_add_overflow(a, b, to); }
_Bool __builtin_uaddll_overflow(unsigned long long a, unsigned long long b, unsigned long long *to) { return __builtin_add_overflow(a, b, to); }
_Bool __builtin_ssub_overflow(int a, int b, int *to) { return __builtin_sub_overflow(a, b, to); }
_Bool __builtin_ssubl_overflow(long a, long b, long *to) { return __builtin_sub_overflow(a, b, to); }
_Bool __builtin_ssubll_overflow(long long a, long long b, long long *to) { return __builtin_sub_overflow(a, b, to); }
_Bool __builtin_usub_overflow(unsigned a, unsigned b, unsigned *to) { return __builtin_sub_overflow(a, b, to); }
_Bool __builtin_usubl_overflow(unsigned long a, unsigned long b, unsigned long *to) { return __builtin_sub_overflow(a, b, to); }
_Bool __builtin_usubll_overflow(unsigned long long a, unsigned long long b, unsigned long long *to) { return __builtin_sub_overflow(a, b, to); }
_Bool __builtin_smul_overflow(int a, int b, int *to) { return __builtin_mul_overflow(a, b, to); }
_Bool __builtin_smull_overflow(long a, long b, long *to) { return __builtin_mul_overflow(a, b, to); }
_Bool __builtin_smulll_overflow(long long a, long long b, long long *to) { return __builtin_mul_overflow(a, b, to); }
_Bool __builtin_umul_overflow(unsigned a, unsigned b, unsigned *to) { return __builtin_mul_overflow(a, b, to); }
_Bool __builtin_umull_overflow(unsigned long a, unsigned long b, unsigned long *to) { return __builtin_mul_overflow(a, b, to); }
_Bool __builtin_umulll_overflow(unsigned long long a, unsigned long long b, unsigned long long *to) { return __builtin_mul_overflow(a, b, to); }

// Characters of the locale "C".
int isdigit(int c) { return c >= '0' && c <= '9'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
int isalnum(int c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
int isxdigit(int c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'); }
int isspace(int c) { return c == ' ' || (c >= 9 && c <= 13); }
int isblank(int c) { return c == ' ' || c == 9; }
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
int isprint(int c) { return c >= 32 && c < 127; }
int isgraph(int c) { return c > 32 && c < 127; }
int ispunct(int c) { return c > 32 && c < 127 && !isalnum(c); }
int isascii(int c) { return c >= 0 && c < 128; }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
int toascii(int c) { return c & 127; }

// The table behind the macros of glibc's ctype.h: the classes of a character as bits, from -128 on.
static const unsigned short classes[384] = {
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  2, 2, 2, 2, 2, 2, 2, 2, 2, 8195, 8194, 8194, 8194, 8194, 2, 2,
  2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
  24577, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156,
  55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 49156, 49156, 49156, 49156, 49156, 49156,
  49156, 54536, 54536, 54536, 54536, 54536, 54536, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440,
  50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 49156, 49156, 49156, 49156, 49156,
  49156, 54792, 54792, 54792, 54792, 54792, 54792, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696,
  50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 49156, 49156, 49156, 49156, 2,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
static const unsigned short *classes_of_zero = classes + 128;
const unsigned short **__ctype_b_loc(void) { return &classes_of_zero; }

// Numbers in texts. One that has no room is the largest or smallest of its type, and `errno` says so.
enum { INVALID = 22, OUT_OF_RANGE = 34 };
int *__errno_location(void);
static void complain(int error) {
  if (__braid_calls(__errno_location)) *__errno_location() = error;
}
static void out_of_range(void) { complain(OUT_OF_RANGE); }
static int digit(int c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}
// The value before its sign, at most `most`; `over` if it is more. As in glibc, there is no number in a base that is none, and no end of it.
static unsigned long long magnitude(const char *s, char **end, int base, unsigned long long most, _Bool *negative, _Bool *over) {
  unsigned long at = 0, start, from = 0;
  _Bool is_base = base == 0 || (base > 1 && base <= 36);
  unsigned long long value = 0;
  while (isspace((unsigned char)s[at])) at = at + 1;
  *negative = s[at] == '-';
  *over = 0;
  if (s[at] == '-' || s[at] == '+') at = at + 1;
  if ((base == 0 || base == 16) && s[at] == '0' && (s[at + 1] == 'x' || s[at + 1] == 'X') && digit(s[at + 2]) < 16) {
    at = at + 2;
    base = 16;
  } else if (base == 0)
    base = s[at] == '0' ? 8 : 10;
  if (!is_base) complain(INVALID);
  start = at;
  while (is_base && digit(s[at]) < base) {
    int next = digit(s[at]);
    if (value > (most - (unsigned long long)next) / (unsigned long long)base) *over = 1;
    else value = value * (unsigned long long)base + (unsigned long long)next;
    at = at + 1;
  }
  if (at > start) from = at;
  if (end && is_base) *end = (char *)s + from;
  return *over ? most : value;
}
static long long signed_value(const char *s, char **end, int base, unsigned long long largest) {
  _Bool negative, over;
  unsigned long long value = magnitude(s, end, base, largest + 1, &negative, &over);
  if (over || (!negative && value > largest)) {
    out_of_range();
    if (!negative) value = largest;
  }
  return negative ? value == 0 ? 0 : -(long long)(value - 1) - 1 : (long long)value;
}
static unsigned long long unsigned_value(const char *s, char **end, int base, unsigned long long largest) {
  _Bool negative, over;
  unsigned long long value = magnitude(s, end, base, largest, &negative, &over);
  if (over) out_of_range();
  return negative && !over ? 0 - value : value;
}
// The name and the arguments that the program is started with: each is any text that has room. Of those that are nothing but numbers to it,
// only the numbers are known, as far as 15 characters have room for them.
enum { ARGUMENTS = 8, LENGTH = 16 };
extern char argument_texts[ARGUMENTS][LENGTH];
extern long argument_numbers[ARGUMENTS];
static long argument_number(const char *s) {
  char first = s[0];
  if ((s - argument_texts[0]) % LENGTH != 0) __braid_unsupported("a number in the middle of an argument");
  long number = argument_numbers[(s - argument_texts[0]) / LENGTH];
  __VERIFIER_assume(number > -100000000000000 && number < 1000000000000000);
  return number;
}
long strtol(const char *s, char **end, int base) {
  if (sizeof(long) > 4 && __braid_is_number(s) && !end && base == 10) return argument_number(s);
  return (long)signed_value(s, end, base, (~0ul) >> 1);
}
long long strtoll(const char *s, char **end, int base) {
  if (sizeof(long) > 4 && __braid_is_number(s) && !end && base == 10) return strtol(s, end, base);
  return signed_value(s, end, base, (~0ull) >> 1);
}
unsigned long strtoul(const char *s, char **end, int base) { return (unsigned long)unsigned_value(s, end, base, ~0ul); }
unsigned long long strtoull(const char *s, char **end, int base) { return unsigned_value(s, end, base, ~0ull); }
long long strtoimax(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long long strtoumax(const char *s, char **end, int base) { return strtoull(s, end, base); }
// The names that newer headers give to them.
long __isoc23_strtol(const char *s, char **end, int base) { return strtol(s, end, base); }
long long __isoc23_strtoll(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long __isoc23_strtoul(const char *s, char **end, int base) { return strtoul(s, end, base); }
unsigned long long __isoc23_strtoull(const char *s, char **end, int base) { return strtoull(s, end, base); }

int atoi(const char *s) { return (int)atol(s); }
long atol(const char *s) {
  if (sizeof(long) > 4 && __braid_is_number(s)) return argument_number(s);
  unsigned long at = 0;
  long value = 0;
  while (isspace((unsigned char)s[at])) at = at + 1;
  _Bool negative = s[at] == '-';
  if (s[at] == '-' || s[at] == '+') at = at + 1;
  // Below zero is room for one more.
  while (isdigit(s[at])) {
    value = value * 10 - (s[at] - '0');
    at = at + 1;
  }
  return negative ? value : -value;
}
long long atoll(const char *s) { return atol(s); }

// Random numbers: any.
enum { RAND_MAX = 2147483647 };
int rand(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x >= 0);
  return x;
}
int rand_r(unsigned *seed) {
  *seed = __VERIFIER_nondet_uint();
  return rand();
}
long random(void) { return rand(); }
long lrand48(void) { return rand(); }
long mrand48(void) { return __VERIFIER_nondet_int(); }
double drand48(void) {
  double x = __VERIFIER_nondet_double();
  __VERIFIER_assume(x >= 0 && x < 1);
  return x;
}
void srand(unsigned seed) {}
void srandom(unsigned seed) {}
void srand48(long seed) {}

// Of equal elements the order is open; this one is stable. Elements may be arrays.
static void sort(__auto_type base, unsigned long count, unsigned long size, int (*compare)(const void *, const void *)) {
  if (sizeof(*base) != size) __braid_unsupported("`qsort` of elements of another size");
  for (unsigned long n = 1; n < count; n = n + 1) {
    unsigned long at = n;
    while (at > 0 && compare(&base[at - 1], &base[at]) > 0) {
      __typeof__(*base) moved;
      memcpy(&moved, &base[at], sizeof(moved));
      memcpy(&base[at], &base[at - 1], sizeof(moved));
      memcpy(&base[at - 1], &moved, sizeof(moved));
      at = at - 1;
    }
  }
}
void qsort(__auto_type base, unsigned long count, unsigned long size, int (*compare)(const void *, const void *)) {
  sort(_Generic(base, void *: (char *)base, default: base), count, size, compare);
}
static void *search(const void *key, __auto_type base, unsigned long count, unsigned long size, int (*compare)(const void *, const void *)) {
  if (sizeof(*base) != size) __braid_unsupported("`bsearch` in elements of another size");
  unsigned long low = 0, high = count;
  void *found = 0;
  while (low < high && !found) {
    unsigned long middle = low + (high - low) / 2;
    int order = compare(key, &base[middle]);
    if (order == 0) found = (void *)&base[middle];
    else if (order < 0) high = middle;
    else low = middle + 1;
  }
  return found;
}
void *bsearch(const void *key, __auto_type base, unsigned long count, unsigned long size, int (*compare)(const void *, const void *)) {
  return search(key, _Generic(base, void *: (const char *)base, const void *: (const char *)base, default: base), count, size, compare);
}
