// Numbers, characters, and what is random.

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }
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
int __builtin_ctz(unsigned x) { return trailing(x, 32); }
int __builtin_ctzl(unsigned long x) { return trailing(x, LONG); }
int __builtin_ctzll(unsigned long long x) { return trailing(x, 64); }
int __builtin_clz(unsigned x) { return leading(x, 32); }
int __builtin_clzl(unsigned long x) { return leading(x, LONG); }
int __builtin_clzll(unsigned long long x) { return leading(x, 64); }
int ffs(int x) { return x ? trailing((unsigned)x, 32) + 1 : 0; }
int ffsl(long x) { return x ? trailing((unsigned long)x, LONG) + 1 : 0; }
int ffsll(long long x) { return x ? trailing((unsigned long long)x, 64) + 1 : 0; }
int __builtin_ffs(int x) { return ffs(x); }
int __builtin_ffsl(long x) { return ffsl(x); }
int __builtin_ffsll(long long x) { return ffsll(x); }
unsigned short __builtin_bswap16(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
unsigned __builtin_bswap32(unsigned x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }
unsigned long long __builtin_bswap64(unsigned long long x) {
  return (unsigned long long)__builtin_bswap32((unsigned)x) << 32 | __builtin_bswap32((unsigned)(x >> 32));
}
void __builtin_prefetch(const void *address, ...) {}
void __builtin_ia32_pause(void) {}

// Arithmetic on exact numbers: is the result out of range?
_Bool __builtin_add_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a + (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_sadd_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a + (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_saddl_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a + (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_saddll_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a + (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_uadd_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a + (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_uaddl_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a + (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_uaddll_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a + (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_sub_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a - (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_ssub_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a - (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_ssubl_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a - (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_ssubll_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a - (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_usub_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a - (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_usubl_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a - (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_usubll_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a - (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_mul_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a * (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_smul_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a * (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_smull_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a * (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_smulll_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a * (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_umul_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a * (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_umull_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a * (__int128)b;
  *to = exact;
  return *to != exact;
}
_Bool __builtin_umulll_overflow(__auto_type a, __auto_type b, __auto_type to) {
  __int128 exact = (__int128)a * (__int128)b;
  *to = exact;
  return *to != exact;
}

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

int atoi(const char *s) { return (int)atol(s); }
long atol(const char *s) {
  unsigned long at = 0;
  long value = 0;
  while (isspace((unsigned char)s[at])) at = at + 1;
  _Bool negative = s[at] == '-';
  if (s[at] == '-' || s[at] == '+') at = at + 1;
  while (isdigit(s[at])) {
    value = value * 10 + (s[at] - '0');
    at = at + 1;
  }
  return negative ? -value : value;
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
void srand(unsigned seed) {}
void srandom(unsigned seed) {}
void srand48(long seed) {}

// Of equal elements the order is open; this one is stable.
void qsort(__auto_type base, unsigned long count, unsigned long size, int (*compare)(const void *, const void *)) {
  for (unsigned long n = 1; n < count; n = n + 1) {
    unsigned long at = n;
    while (at > 0 && compare(&base[at - 1], &base[at]) > 0) {
      __typeof__(*base) moved = base[at];
      base[at] = base[at - 1];
      base[at - 1] = moved;
      at = at - 1;
    }
  }
}
