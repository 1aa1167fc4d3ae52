extern void __VERIFIER_error(void); extern int __VERIFIER_nondet_int(void); extern int printf(const char *, ...);
struct pair { int x; double y; } make(int x) { return (struct pair){ .x = x, 1.5 }; }
char c = '\x41'; short h = -1; unsigned u = 0xffffffffu; long long ll = 1ll << 40; float f = 1e3f; _Bool flag;
int a[4], *p = a + 1; char *text = "a\tb" "\101\n"; void *v;
static inline unsigned rotate(unsigned x, int by) { return (x << by) | (x >> (32 - by)); }
int main() {
  int i = 0, j = ({ int k = 2; k * 3; });
  i = c + h - u * ll / 3 % 5; f += i; flag = p && !v || i == 3;
  i = a[i++] + *p-- + ++*p + (p - a) + p[-1]; u ^= ~u & 0x55; ll >>= 2;
  v = p; p = v; p = (int *)((char *)p + sizeof(int)); i = make(1).x + (i ? c : ll) + (i ?: 7);
  i = _Generic(ll, int: 1, long long: 2, default: 3) + __builtin_types_compatible_p(int, unsigned);
  __atomic_fetch_add(&i, 1, 5); if (__sync_bool_compare_and_swap(&j, 1, 2)) asm volatile("" ::: "memory");
  __auto_type q = &a[2]; *q = (short)70000, q[1] = -5 >> 1; i = (i, j);
  printf("%d %s %s\n", i, text, __func__); u = rotate(u, 3);
  switch (c) { case 'a' ... 'z': break; case 'A': if (j) default: i = 1; else continue_here: i = 2; }
  if (__builtin_expect(!!(__VERIFIER_nondet_int() > 0), 1)) __VERIFIER_error();
  while (1) { if (i-- < 0) break; else continue; }
  return sizeof(struct pair) == 16 ? (int)sizeof i++ : -1;
}
