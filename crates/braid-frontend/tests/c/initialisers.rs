//! Initial values.

use crate::{check, check_body};
use expect_test::expect;

#[test]
fn scalars_and_arrays() {
    check_body(
        "int x = c; long y = {1}; int z[] = {1, 2, 3}; int w[5] = {1}; int e[2] = {}; int n[2][2] = {{1}, {2, 3}}; int k[2][2] = {1, 2, 3}; char s[] = \"ab\"; char t[4] = {\"a\"}; char *r = \"x\"; int *o = &x;",
        expect![[]],
    );
}

#[test]
fn designators() {
    check_body(
        "int z[] = {[3] = 1, 2, [1] = c}; int r[6] = {[1 ... 3] = 7, 8}; struct s x = {.b = 1, .list = {1, 2}, .list[3] = 4}; struct s y = {.list[1] = 5, 6, .a = 7}; struct s z2 = {a: 1};",
        expect![[]],
    );
}

#[test]
fn braces_left_out() {
    check(
        "struct p { int x, y; }; struct q { struct p a; int b[2]; struct p c; } v = {1, 2, 3, 4, 5}; struct p w[] = {1, 2, {3}, 4, 5}; struct p one = {1, 2};\n\
         int main(void) { struct q z = {one, 1, 2, {.y = 3}}; struct q t = {.a.y = 1, 2}; return v.b[0] + w[1].x; }",
        expect![[]],
    );
}

#[test]
fn unions_and_anonymous_members() {
    check(
        "union u { int i; char c[4]; } a = {1}, b = {.c = \"ab\"}; struct s { int x; union { int y; long z; }; struct { int v, w; }; } c = {1, 2, 3, 4}, d = {.z = 5, .w = 6};\n\
         int main(void) { return a.i + b.i + c.x + d.x; }",
        expect![[]],
    );
}

#[test]
fn addresses_and_functions() {
    check(
        "int x, a[3]; int *p = &x, *q = a + 1, *r = &a[2]; int f(void) { return 1; } int (*t[])(void) = {f, &f}; struct { int (*run)(void); } ops = { .run = f }; char *n[] = {\"a\", \"b\"}; int *l = (int[]){1, 2};\n\
         int main(void) { return *p + *q + *r + t[0]() + ops.run() + *n[0] + *l; }",
        expect![[]],
    );
}
