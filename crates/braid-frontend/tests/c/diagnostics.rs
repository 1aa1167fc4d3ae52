//! What is wrong with programs that are rejected.

use crate::{check, check_body};
use expect_test::expect;

#[test]
fn syntax_errors_have_places() {
    check("int main(void) { return 1 }\nint f(void) { x = ; }\nint ok;\nfoo bar;\n", expect![[]]);
}

#[test]
fn odd_characters_and_open_ends() {
    check("int x = 1 @ 2;\nchar *s = \"abc\n;\n", expect![[]]);
    check("int main(void) { if (1) {", expect![[]]);
}

#[test]
fn several_errors_in_one_run() {
    check_body(
        "x = 1; i = y; S = 1; i = S; i.a = 1; P->none = 1; i(); *i = 1; 1 = 2; a = p; &1; &S.bits; p = p + q; i = S + 1; if (S) ; break; goto nowhere; case 1: ; const int k = 1; k = 2; g(1); int int_void(void); i = (int)S; l = 99999999999999999999;",
        expect![[]],
    );
}

#[test]
fn unsupported_constructs_are_named() {
    check_body(
        "v = &&x; goto *v; x: asm(\"nop\"); __builtin_va_list ap; i = __builtin_va_arg(ap, int); _Complex double z; v = L\"wide\"; int n[i]; i = sizeof n;",
        expect![[]],
    );
}

#[test]
fn functions_inside_of_functions() {
    check("int main(void) { int f(int x) { return x; } return f(1); }", expect![[]]);
}

#[test]
fn types() {
    check(
        "struct s; struct s x; int f(int a[2][]); struct t { int a : 40; }; int main(void) { struct s y; struct t z; int v[-1]; void w; int q[]; return x.a; }",
        expect![[]],
    );
}

#[test]
fn a_failing_static_assertion() {
    check("_Static_assert(sizeof(int) == 2, \"int is too wide\"); int main(void) { return 0; }", expect![[]]);
}
