//! Initial values.

use crate::{check, check_body};
use expect_test::expect;

#[test]
fn scalars_and_arrays() {
    check_body(
        "int x = c; long y = {1}; int z[] = {1, 2, 3}; int w[5] = {1}; int e[2] = {}; int n[2][2] = {{1}, {2, 3}}; int k[2][2] = {1, 2, 3}; char s[] = \"ab\"; char t[4] = {\"a\"}; char *r = \"x\"; int *o = &x;",
        expect![[r#"
            int x = (int)c;
            long y = 1:long;
            int [3] z = { 0: 1, 1: 2, 2: 3 };
            int [5] w = { 0: 1 };
            int [2] e = {  };
            int [2] [2] n = { 0: { 0: 1 }, 1: { 0: 2, 1: 3 } };
            int [2] [2] k = { 0: { 0: 1, 1: 2 }, 1: { 0: 3 } };
            char [3] s = "ab";
            char [4] t = "a";
            char * r = "x";
            int * o = &x;
        "#]],
    );
}

#[test]
fn designators() {
    check_body(
        "int z[] = {[3] = 1, 2, [1] = c}; int r[6] = {[1 ... 3] = 7, 8}; struct s x = {.b = 1, .list = {1, 2}, .list[3] = 4}; struct s y = {.list[1] = 5, 6, .a = 7}; struct s z2 = {a: 1};",
        expect![[r#"
            int [5] z = { 3: 1, 4: 2, 1: (int)c };
            int [6] r = { 1: 7, 2: 7, 3: 7, 4: 8 };
            struct s x = { 1: 1:char, 4: { 0: 1, 1: 2, 3: 4 } };
            struct s y = { 4: { 1: 5, 2: 6 }, 0: 7 };
            struct s z2 = { 0: 1 };
        "#]],
    );
}

#[test]
fn braces_left_out() {
    check(
        "struct p { int x, y; }; struct q { struct p a; int b[2]; struct p c; } v = {1, 2, 3, 4, 5}; struct p w[] = {1, 2, {3}, 4, 5}; struct p one = {1, 2};\n\
         int main(void) { struct q z = {one, 1, 2, {.y = 3}}; struct q t = {.a.y = 1, 2}; return v.b[0] + w[1].x; }",
        expect![[r#"
            LP64
            struct p { int x @0; int y @4 } size 8
            struct q { struct p a @0; int [2] b @8; struct p c @16 } size 24
            static struct p one = { 0: 1, 1: 2 }
            static struct q v = { 0: { 0: 1, 1: 2 }, 1: { 0: 3, 1: 4 }, 2: { 0: 5 } }
            static struct p [3] w = { 0: { 0: 1, 1: 2 }, 1: { 0: 3 }, 2: { 0: 4, 1: 5 } }
            int main() {
              struct q z = { 0: one, 1: { 0: 1, 1: 2 }, 2: { 1: 3 } };
              struct q t = { 0: { 1: 1 }, 1: { 0: 2 } };
              return (v.b[0] + w[1].x);
            }
        "#]],
    );
}

#[test]
fn unions_and_anonymous_members() {
    check(
        "union u { int i; char c[4]; } a = {1}, b = {.c = \"ab\"}; struct s { int x; union { int y; long z; }; struct { int v, w; }; } c = {1, 2, 3, 4}, d = {.z = 5, .w = 6};\n\
         int main(void) { return a.i + b.i + c.x + d.x; }",
        expect![[r#"
            LP64
            union u { int i @0; char [4] c @0 } size 4
            struct s { int x @0; union anonymous2 _ @8; struct anonymous3 _ @16 } size 24
            union anonymous2 { int y @0; long z @0 } size 8
            struct anonymous3 { int v @0; int w @4 } size 8
            static union u a = { 0: 1 }
            static union u b = { 1: "ab" }
            static struct s c = { 0: 1, 1: { 0: 2 }, 2: { 0: 3, 1: 4 } }
            static struct s d = { 1: { 1: 5:long }, 2: { 1: 6 } }
            int main() {
              return (((a.i + b.i) + c.x) + d.x);
            }
        "#]],
    );
}

#[test]
fn addresses_and_functions() {
    check(
        "int x, a[3]; int *p = &x, *q = a + 1, *r = &a[2]; int f(void) { return 1; } int (*t[])(void) = {f, &f}; struct { int (*run)(void); } ops = { .run = f }; char *n[] = {\"a\", \"b\"}; int *l = (int[]){1, 2};\n\
         int main(void) { return *p + *q + *r + t[0]() + ops.run() + *n[0] + *l; }",
        expect![[r#"
            LP64
            struct anonymous0 { int (*)(void) run @0 } size 8
            static int * p = &x
            static int * q = (&a + 1*4)
            static int * r = &a[2]
            static int (*)(void) [2] t = { 0: f, 1: f }
            static struct anonymous0 ops = { 0: f }
            static char * [2] n = { 0: "a", 1: "b" }
            static int * l = &literal
            static int [2] literal = { 0: 1, 1: 2 }
            static int [3] a
            static int x
            int f() {
              return 1;
            }
            int main() {
              return ((((((*p + *q) + *r) + (*t[0])()) + (*ops.run)()) + (int)*n[0]) + *l);
            }
        "#]],
    );
}
