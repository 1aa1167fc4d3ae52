typedef int t;
typedef union { char bytes[8]; long word; struct { short x, y; }; } u;
struct s { t a : 3; unsigned b : 9; int : 0; char c[3]; struct s *next; u u; } __attribute__((packed));
enum e { A, B = A + 5, C } color = B;
static const int limit = 4;
_Thread_local int local; extern _Atomic int shared; volatile unsigned flags[limit];
int (*table[2])(int, char); int matrix[2][3] = { 1, 2, 3, [1] = { [2] = 6 } };
struct s list[] = { { .a = 1, .c = "ab", .u.word = 7 }, [2] = { 2, 3, { 'x' }, &list[0] } };
_Static_assert(sizeof(u) >= 4 && __builtin_offsetof(struct s, next) > 0, "layout");
old(a, b) char *a; { static int count; return count += *a + b; }
int first(int x, char y) { return x ? first(x - 1, y) : y; }
int *pick(struct s *p, int n, int a[n]) { __typeof__(p->a) k = n; return k > 0 ? &a[k] : (int *)0; }
int main(int argc, char **argv) {
  extern int elsewhere; int f(void), many[argc]; u copy = list[0].u, *where = &copy;
  table[0] = first; table[1] = &first;
  { int t = 3; t++; typedef char t2; t2 c = t; copy.bytes[1] = c; }
  do { local = (*table[argc & 1])(shared, 'c') + old(argv[0], 2); } while (local < elsewhere);
  for (enum e i = A; i <= C; i++) flags[i] |= 1u << i, matrix[0][i] = where->x;
  many[0] = *pick(list, 1, matrix[1]) + f();
  return sizeof list / sizeof *list + (unsigned char)color;
}
