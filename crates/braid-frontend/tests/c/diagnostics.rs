//! What is wrong with programs that are rejected.

use crate::{check, check_body};
use expect_test::expect;

#[test]
fn syntax_errors_have_places() {
    check(
        "int main(void) { return 1 }\nint f(void) { x = ; }\nint ok;\nfoo bar;\n",
        expect![[r#"
        a.i:1:27: error: `}` stands where `;` is expected
          int main(void) { return 1 }
                                    ^
        a.i:2:19: error: `;` stands where an expression is expected
          int f(void) { x = ; }
                            ^
        a.i:4:1: error: `foo` stands where a declaration is expected
          foo bar;
          ^^^
    "#]],
    );
}

#[test]
fn odd_characters_and_open_ends() {
    check(
        "int x = 1 @ 2;\nchar *s = \"abc\n;\n",
        expect![[r#"
        a.i:1:11: error: this character has no meaning in C
          int x = 1 @ 2;
                    ^
        a.i:1:13: error: `2` stands where `;` is expected
          int x = 1 @ 2;
                      ^
        a.i:2:11: error: this string does not end
          char *s = "abc
                    ^^^^
        a.i:3:1: error: `;` stands where an expression is expected
          ;
          ^
    "#]],
    );
    check(
        "int main(void) { if (1) {",
        expect![[r#"
        a.i:1:26: error: the text ends where a statement or `}` is expected
          int main(void) { if (1) {
                                   ^
    "#]],
    );
}

#[test]
fn several_errors_in_one_run() {
    check_body(
        "x = 1; i = y; S = 1; i = S; i.a = 1; P->none = 1; i(); *i = 1; 1 = 2; a = p; &1; &S.bits; p = p + q; i = S + 1; if (S) ; break; goto nowhere; case 1: ; const int k = 1; k = 2; g(1); int int_void(void); i = (int)S; l = 99999999999999999999;",
        expect![[r#"
            a.i:5:1: error: `x` is not declared
              x = 1; i = y; S = 1; i = S; i.a = 1; P->none = 1; i(); *i = 1; 1 = 2; a = p; &1; &S.bits; p = p + q;…
              ^
            a.i:5:12: error: `y` is not declared
              x = 1; i = y; S = 1; i = S; i.a = 1; P->none = 1; i(); *i = 1; 1 = 2; a = p; &1; &S.bits; p = p + q;…
                         ^
            a.i:5:15: error: `int` cannot become `struct s`
              x = 1; i = y; S = 1; i = S; i.a = 1; P->none = 1; i(); *i = 1; 1 = 2; a = p; &1; &S.bits; p = p + q;…
                            ^^^^^
            a.i:5:22: error: `struct s` cannot become `int`
              x = 1; i = y; S = 1; i = S; i.a = 1; P->none = 1; i(); *i = 1; 1 = 2; a = p; &1; &S.bits; p = p + q;…
                                   ^^^^^
            a.i:5:31: error: `int` has no members
              x = 1; i = y; S = 1; i = S; i.a = 1; P->none = 1; i(); *i = 1; 1 = 2; a = p; &1; &S.bits; p = p + q;…
                                            ^
            a.i:5:41: error: `struct s` has no member `none`
              x = 1; i = y; S = 1; i = S; i.a = 1; P->none = 1; i(); *i = 1; 1 = 2; a = p; &1; &S.bits; p = p + q;…
                                                      ^^^^
            a.i:5:51: error: this is not a function, but `int`
              … y; S = 1; i = S; i.a = 1; P->none = 1; i(); *i = 1; 1 = 2; a = p; &1; &S.bits; p = p + q; i = S + 1…
                                                       ^
            a.i:5:56: error: this is not a pointer, but `int`
              … = 1; i = S; i.a = 1; P->none = 1; i(); *i = 1; 1 = 2; a = p; &1; &S.bits; p = p + q; i = S + 1; if…
                                                       ^^
            a.i:5:64: error: this has no place in memory that could be changed or pointed to
              …= S; i.a = 1; P->none = 1; i(); *i = 1; 1 = 2; a = p; &1; &S.bits; p = p + q; i = S + 1; if (S) ; br…
                                                       ^
            a.i:5:71: error: an array cannot be assigned as a whole
              …a = 1; P->none = 1; i(); *i = 1; 1 = 2; a = p; &1; &S.bits; p = p + q; i = S + 1; if (S) ; break; go…
                                                       ^^^^^
            a.i:5:78: error: this has no address
              …P->none = 1; i(); *i = 1; 1 = 2; a = p; &1; &S.bits; p = p + q; i = S + 1; if (S) ; break; goto nowh…
                                                       ^^
            a.i:5:82: error: a bit-field has no address
              …one = 1; i(); *i = 1; 1 = 2; a = p; &1; &S.bits; p = p + q; i = S + 1; if (S) ; break; goto nowhere;…
                                                       ^^^^^^^
            a.i:5:95: error: this operator does not take `int *` and `int *`
              … *i = 1; 1 = 2; a = p; &1; &S.bits; p = p + q; i = S + 1; if (S) ; break; goto nowhere; case 1: ; co…
                                                       ^^^^^
            a.i:5:106: error: this operator does not take `struct s` and `int`
              …= 2; a = p; &1; &S.bits; p = p + q; i = S + 1; if (S) ; break; goto nowhere; case 1: ; const int k =…
                                                       ^^^^^
            a.i:5:117: error: `struct s` is not a number or a pointer
              … &1; &S.bits; p = p + q; i = S + 1; if (S) ; break; goto nowhere; case 1: ; const int k = 1; k = 2;…
                                                       ^
            a.i:5:122: error: `break` stands outside of any loop or `switch`
              …&S.bits; p = p + q; i = S + 1; if (S) ; break; goto nowhere; case 1: ; const int k = 1; k = 2; g(1);…
                                                       ^^^^^^
            a.i:5:134: error: there is no label `nowhere` in this function
              … p + q; i = S + 1; if (S) ; break; goto nowhere; case 1: ; const int k = 1; k = 2; g(1); int int_voi…
                                                       ^^^^^^^
            a.i:5:143: error: `case` stands outside of any `switch`
              … = S + 1; if (S) ; break; goto nowhere; case 1: ; const int k = 1; k = 2; g(1); int int_void(void);…
                                                       ^^^^^^^^^
            a.i:5:170: error: this is `const` and cannot be changed
              …oto nowhere; case 1: ; const int k = 1; k = 2; g(1); int int_void(void); i = (int)S; l = 99999999999…
                                                       ^^^^^
            a.i:5:177: error: this function takes 2 arguments, not 1
              …here; case 1: ; const int k = 1; k = 2; g(1); int int_void(void); i = (int)S; l = 999999999999999999…
                                                       ^^^^
            a.i:5:207: error: `struct s` cannot become `int`
              …1; k = 2; g(1); int int_void(void); i = (int)S; l = 99999999999999999999;
                                                       ^^^^^^
            a.i:5:219: error: this number is too large for any integer type
              …1); int int_void(void); i = (int)S; l = 99999999999999999999;
                                                       ^^^^^^^^^^^^^^^^^^^^
        "#]],
    );
}

/// What ends executions in a program, in order.
fn unmodelled(text: &str) -> Vec<String> {
    let program = braid_frontend::parse("a.i", text, braid_frontend::Language::PreprocessedC).expect("it is read");
    let mut found = Vec::new();
    let mut todo: Vec<&braid_program::ast::Stmt> = program.procedures.iter().map(|procedure| &procedure.body).collect();
    while let Some(stmt) = todo.pop() {
        if let braid_program::ast::StmtKind::Unmodelled(reason) = &stmt.kind {
            found.push((stmt.span, reason.clone()));
        }
        todo.extend(stmt.children());
    }
    found.sort();
    found.into_iter().map(|(_, reason)| reason).collect()
}

#[test]
fn unsupported_constructs_are_named() {
    let body = "if (i == 1) v = &&x + 1; x: if (i == 3) asm(\"cpuid\"); __builtin_va_list ap; \
        if (i == 4) i = __builtin_va_arg(ap, int); if (i == 5) { _Complex double z; z = 1; }";
    let text = format!("int main(int i, char **argv) {{ void *v; {body} }}");
    assert_eq!(
        unmodelled(&text),
        [
            "calculating with the address of a label is not supported",
            "an `asm` statement is not supported",
            "reading variable arguments (`va_arg`) outside of a function that is called by its name with them is not supported",
            "a complex number is not supported",
            "what is declared here is not supported",
        ]
    );
}

#[test]
fn types() {
    check(
        "struct s; struct s x; int f(int a[2][]); struct t { int a : 40; }; int main(void) { struct s y; struct t z; int v[-1]; void w; int q[]; return x.a; }",
        expect![[r#"
            a.i:1:61: error: a bit-field of this type has 1 to 32 bits
              …; int f(int a[2][]); struct t { int a : 40; }; int main(void) { struct s y; struct t z; int v[-1]; v…
                                                       ^^
            a.i:1:94: error: the size of `struct s` is not known here
              …nt a : 40; }; int main(void) { struct s y; struct t z; int v[-1]; void w; int q[]; return x.a; }
                                                       ^
            a.i:1:115: error: an array cannot have so many elements
              …n(void) { struct s y; struct t z; int v[-1]; void w; int q[]; return x.a; }
                                                       ^^
            a.i:1:125: error: a variable cannot be `void`
              …struct s y; struct t z; int v[-1]; void w; int q[]; return x.a; }
                                                       ^
            a.i:1:132: error: the size of `int []` is not known here
              …s y; struct t z; int v[-1]; void w; int q[]; return x.a; }
                                                       ^
            a.i:1:146: error: `struct s` is declared, but its members are not known
              …z; int v[-1]; void w; int q[]; return x.a; }
                                                       ^
        "#]],
    );
}

#[test]
fn a_failing_static_assertion() {
    check(
        "_Static_assert(sizeof(int) == 2, \"int is too wide\"); int main(void) { return 0; }",
        expect![[r#"
        a.i:1:1: error: this static assertion fails: int is too wide
          _Static_assert(sizeof(int) == 2, "int is too wide"); int main(void) { return 0; }
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#]],
    );
}
