//! What declarations declare.

use crate::{check, check_in};
use braid_frontend::c::tree::DataModel;
use expect_test::expect;

#[test]
fn storage() {
    check(
        "int x; static int y = 1; extern int z; _Thread_local int t; static __thread int w = 2; extern int x;\n\
         int main(void) { static int s = 3; extern int z; extern int o; return x + y + z + t + w + s + o; }\n\
         int z = 4;",
        expect![[r#"
            LP64
            static int s = 3
            static int x
            static int y = 1
            static int z = 4
            thread int t
            thread int w = 2
            extern int o
            int main() {
              return ((((((x + y) + z) + t) + w) + s) + o);
            }
        "#]],
    );
}

#[test]
fn tentative_definitions_are_one_variable() {
    check(
        "int x; int x; int x = 3; int x; int a[]; int a[4]; int main() { return x + sizeof a; }",
        expect![[r#"
        LP64
        static int x = 3
        static int [4] a
        int main(open) {
          return (int)((unsigned long)x + 16:unsigned long);
        }
    "#]],
    );
}

#[test]
fn qualifiers() {
    check(
        "volatile int v; const char *s; char *const t = 0; _Atomic int a; _Atomic(long) b; typedef _Atomic int atomic_int; atomic_int c; int *volatile p; _Atomic int *q;\n\
         int main(void) { return v + *s + *t + a + b + c + *p + *q; }",
        expect![[r#"
            LP64
            static volatile int v
            static const char * s
            static char * const t = 0:char *
            static _Atomic int a
            static _Atomic long b
            static _Atomic int c
            static int * volatile p
            static _Atomic int * q
            int main() {
              return (int)(((((long)(((v + (int)*s) + (int)*t) + a) + b) + (long)c) + (long)*p) + (long)*q);
            }
        "#]],
    );
}

#[test]
fn typedefs_can_be_hidden() {
    check(
        "typedef int t; typedef struct { t t; } r; t f(t t) { return t; } int main(void) { r x; x.t = 1; { int t = 2; t++; } t y = f(x.t); t: goto t; }",
        expect![[r#"
            LP64
            struct r { int t @0 } size 4
            int main() {
              struct r x;
              x.t = 1;
              {
                int t#1 = 2;
                t#1 +=:int 1 (old);
              }
              int y = f(x.t);
              L0:
                goto L0;
            }
            int f(int t#3) {
              return t#3;
            }
        "#]],
    );
}

#[test]
fn declarators() {
    check(
        "int *a[3]; int (*b)[3]; int (*f(int x))(char); int (*(*g[2])(void))[3]; char (*(h))(void);\n\
         int main(void) { return *a[1] + (*b)[1] + f(1)('x') + (*g[0]())[1] + h(); }",
        expect![[r#"
            LP64
            static int * [3] a
            static int [3] * b
            static int [3] * (*)(void) [2] g
            static char (*)(void) h
            int main() {
              return ((((*a[1] + *b[1]) + (*f(1))(120:char)) + *(*g[0])()[1]) + (int)(*h)());
            }
            int (*)(char) f(int);
        "#]],
    );
}

#[test]
fn old_style_functions() {
    check(
        "f(a, b, c) char *a; long b; { return c; } main() { f(0, 1, 2); f(1); h(); } h() { return 1; } static y; const z = 3;",
        expect![[r#"
            LP64
            int main(open) {
              f(0:char *, 1:long, 2);
              f(1:char *);
              h();
            }
            int f(char * a, long b, int c open) {
              return c;
            }
            int h(open) {
              return 1;
            }
        "#]],
    );
}

#[test]
fn thread_functions_without_parameters() {
    check(
        "typedef unsigned long pthread_t; extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n\
         void *worker() { return 0; } int main() { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, &worker, (void *)1); }",
        expect![[r#"
            LP64
            int main(open) {
              unsigned long t;
              pthread_create(&t, 0:const struct pthread_attr_t *, (void * (*)(void *))worker, 0:void *);
              pthread_create(&t, 0:const struct pthread_attr_t *, (void * (*)(void *))worker, 1:void *);
            }
            int pthread_create(unsigned long *, const void *, void * (*)(void *), void *);
            void * worker(open) {
              return 0:void *;
            }
        "#]],
    );
}

#[test]
fn only_what_main_reaches_is_checked() {
    check(
        "int unused = 1; static inline int exotic(int x) { asm(\"hlt\"); return undeclared; } _Complex double z; int called(void); int main(void) { return called(); } int called(void) { return 1; }",
        expect![[r#"
            LP64
            int main() {
              return called();
            }
            int called() {
              return 1;
            }
        "#]],
    );
}

#[test]
fn enumerations() {
    check(
        "enum e { A, B = 5, C, D = -1 } x; enum { BIG = 0x80000000u }; enum u { P, Q } y; enum e z;\n\
         int main(void) { x = C; y = Q; enum { A = 9 }; return A + D + (y < 0) + (BIG > 0); }",
        expect![[r#"
            LP64
            static int x
            static unsigned int y
            int main() {
              x = 6;
              y = 1:unsigned int;
              return ((8 + (y < 0:unsigned int)) + 1);
            }
        "#]],
    );
}

#[test]
fn layouts() {
    let text = "struct a { char c; long long l; short s; }; struct b { char c; int i; } __attribute__((packed));\n\
         struct __attribute__((packed)) b2 { char c; double d; }; struct c { int a : 3; int : 0; unsigned b : 5; char d : 4; long long e : 40; };\n\
         union d { char c[5]; int i; struct { short x, y; }; }; struct e { int n; char rest[]; }; struct f { char c; int i __attribute__((aligned(16))); };\n\
         struct g { struct { int x; union { int y; char z; }; }; int w; }; struct h {}; struct i { _Alignas(8) char c; }; struct j;\n\
         int main(void) { struct g v; v.x = v.y + v.z + v.w; return 0; }";
    check_in(
        DataModel::Lp64,
        text,
        expect![[r#"
        LP64
        struct a { char c @0; long long l @8; short s @16 } size 24
        struct b { char c @0; int i @1 } size 5
        struct b2 { char c @0; double d @1 } size 9
        struct c { int a:3 @0; unsigned int b:5 @4; char d:4 @5; long long e:40 @8 } size 16
        union d { char [5] c @0; int i @0; struct anonymous5 _ @0 } size 8
        struct anonymous5 { short x @0; short y @2 } size 4
        struct e { int n @0; char [] rest @4 } size 4
        struct f { char c @0; int i @16 } size 32
        struct g { struct anonymous9 _ @0; int w @8 } size 12
        struct anonymous9 { int x @0; union anonymous10 _ @4 } size 8
        union anonymous10 { int y @0; char z @0 } size 4
        struct h {  } size 0
        struct i { char c @0 } size 8
        int main() {
          struct g v;
          v._.x = ((v._._.y + (int)v._._.z) + v.w);
          return 0;
        }
    "#]],
    );
    // Where the models differ.
    check_in(
        DataModel::Ilp32,
        "struct a { char c; long long l; short s; }; struct c { char d : 4; long long e : 40; }; struct p { char c; long *l; };",
        expect![[r#"
        ILP32
        struct a { char c @0; long long l @4; short s @12 } size 16
        struct c { char d:4 @0; long long e:40 @0 } size 8
        struct p { char c @0; long * l @4 } size 8
    "#]],
    );
}

#[test]
fn arrays_of_variable_length() {
    check(
        "void f(int n, int a[n], int b[static 3], int c[]) { int d[n]; d[0] = a[1] + b[2] + c[3]; } int main(void) { const int k = 4; int e[k]; f(1, e, e, e); return sizeof e; }",
        expect![[r#"
            LP64
            int main() {
              const int k = 4;
              int [4] e;
              f(1, &e, &e, &e);
              return 16;
            }
            void f(int n, int * a, int * b, int * c) {
              int length#7 = n;
              int [] d;
              d[0] = ((*(a + 1*4) + *(b + 2*4)) + *(c + 3*4));
            }
        "#]],
    );
}

#[test]
fn lengths_in_types_are_variables() {
    check(
        "int f(int n, int m, int a[n][m]) { int b[n][3][m]; int (*p)[m] = a; p++; b[1][2][0] = a[n][1]; return sizeof b + sizeof *p + (p - a); } int main(void) { int c[2][2]; return f(2, 2, c); }",
        expect![[r#"
            LP64
            int main() {
              int [2] [2] c;
              return f(2, 2, (int [] *)&c);
            }
            int f(int n, int m, int [*] * a) {
              int length#3 = m;
              int length#6 = m;
              unsigned long length#7 = 3:unsigned long;
              int length#8 = n;
              int [] b;
              int length#10 = m;
              int [*] * p = (int [*] *)a;
              p +=:long (1:long * (long)length#10)*4 (old);
              b[((((1:long * (long)length#7) * (long)length#6) + (2:long * (long)length#6)) + 0:long)] = *((int *)a + (((long)n * (long)length#3) + 1:long)*4);
              return (int)(((((4:unsigned long * (unsigned long)length#8) * length#7) * (unsigned long)length#6) + (4:unsigned long * (unsigned long)length#10)) + (unsigned long)(((p - a)/4) / (1:long * (long)length#10)));
            }
        "#]],
    );
}

#[test]
fn qualifiers_of_parameters() {
    check(
        "int f(const int a[], int *const p, const char c) { a++; return *a + *p + c; } int main(void) { int x = 1; return f(&x, &x, 'c'); }",
        expect![[r#"
            LP64
            int main() {
              int x = 1;
              return f((const int *)&x, &x, 99:char);
            }
            int f(const int * a, int * const p, const char c) {
              a +=:int 1*4 (old);
              return ((*a + *p) + (int)c);
            }
        "#]],
    );
    check(
        "int f(const int c) { return c++; } int main(void) { return f(1); }",
        expect![[r#"
        a.i:1:29: error: this is `const` and cannot be changed
          int f(const int c) { return c++; } int main(void) { return f(1); }
                                      ^^^
    "#]],
    );
}

#[test]
fn static_assertions_hold() {
    check(
        "_Static_assert(sizeof(int) == 4, \"int\"); int main(void) { _Static_assert(1); return 0; }",
        expect![[r#"
        LP64
        int main() {
          return 0;
        }
    "#]],
    );
}
