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
        expect![[]],
    );
}

#[test]
fn tentative_definitions_are_one_variable() {
    check("int x; int x; int x = 3; int x; int a[]; int a[4]; int main() { return x + sizeof a; }", expect![[]]);
}

#[test]
fn qualifiers() {
    check(
        "volatile int v; const char *s; char *const t = 0; _Atomic int a; _Atomic(long) b; typedef _Atomic int atomic_int; atomic_int c; int *volatile p; _Atomic int *q;\n\
         int main(void) { return v + *s + *t + a + b + c + *p + *q; }",
        expect![[]],
    );
}

#[test]
fn typedefs_can_be_hidden() {
    check(
        "typedef int t; typedef struct { t t; } r; t f(t t) { return t; } int main(void) { r x; x.t = 1; { int t = 2; t++; } t y = f(x.t); t: goto t; }",
        expect![[]],
    );
}

#[test]
fn declarators() {
    check(
        "int *a[3]; int (*b)[3]; int (*f(int x))(char); int (*(*g[2])(void))[3]; char (*(h))(void);\n\
         int main(void) { return *a[1] + (*b)[1] + f(1)('x') + (*g[0]())[1] + h(); }",
        expect![[]],
    );
}

#[test]
fn old_style_functions() {
    check(
        "f(a, b, c) char *a; long b; { return c; } main() { f(0, 1, 2); f(1); h(); } h() { return 1; } static y; const z = 3;",
        expect![[]],
    );
}

#[test]
fn thread_functions_without_parameters() {
    check(
        "typedef unsigned long pthread_t; extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n\
         void *worker() { return 0; } int main() { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, &worker, (void *)1); }",
        expect![[]],
    );
}

#[test]
fn only_what_main_reaches_is_checked() {
    check(
        "int unused = 1; static inline int exotic(int x) { asm(\"hlt\"); return undeclared; } _Complex double z; int called(void); int main(void) { return called(); } int called(void) { return 1; }",
        expect![[]],
    );
}

#[test]
fn enumerations() {
    check(
        "enum e { A, B = 5, C, D = -1 } x; enum { BIG = 0x80000000u }; enum u { P, Q } y; enum e z;\n\
         int main(void) { x = C; y = Q; enum { A = 9 }; return A + D + (y < 0) + (BIG > 0); }",
        expect![[]],
    );
}

#[test]
fn layouts() {
    let text = "struct a { char c; long long l; short s; }; struct b { char c; int i; } __attribute__((packed));\n\
         struct __attribute__((packed)) b2 { char c; double d; }; struct c { int a : 3; int : 0; unsigned b : 5; char d : 4; long long e : 40; };\n\
         union d { char c[5]; int i; struct { short x, y; }; }; struct e { int n; char rest[]; }; struct f { char c; int i __attribute__((aligned(16))); };\n\
         struct g { struct { int x; union { int y; char z; }; }; int w; }; struct h {}; struct i { _Alignas(8) char c; }; struct j;\n\
         int main(void) { struct g v; v.x = v.y + v.z + v.w; return 0; }";
    check_in(DataModel::Lp64, text, expect![[]]);
    check_in(DataModel::Ilp32, text, expect![[]]);
}

#[test]
fn variable_length_arrays_have_no_size() {
    check(
        "void f(int n, int a[n], int b[static 3], int c[]) { int d[n]; d[0] = a[1] + b[2] + c[3]; } int main(void) { const int k = 4; int e[k]; f(1, e, e, e); return sizeof e; }",
        expect![[]],
    );
}

#[test]
fn static_assertions_hold() {
    check("_Static_assert(sizeof(int) == 4, \"int\"); int main(void) { _Static_assert(1); return 0; }", expect![[]]);
}
