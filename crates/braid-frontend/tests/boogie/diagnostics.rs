//! What is said about texts that are not programs.

use crate::{check, check_body};
use expect_test::expect;

#[test]
fn syntax() {
    check(
        "procedure main() { x := ; y = 3; assert true }",
        expect![[r#"
        a.bpl:1:25: error: an expression should stand here
          procedure main() { x := ; y = 3; assert true }
                                  ^
        a.bpl:1:27: error: a statement should stand here
          procedure main() { x := ; y = 3; assert true }
                                    ^
        a.bpl:1:46: error: `;` should stand here, behind the statement
          procedure main() { x := ; y = 3; assert true }
                                                       ^
    "#]],
    );
    check(
        "procedur main() { }",
        expect![[r#"
        a.bpl:1:1: error: a declaration should stand here: `type`, `const`, `function`, `axiom`, `var`, `procedure` or `implementation`
          procedur main() { }
          ^^^^^^^^
        hint: did you mean `procedure`?
    "#]],
    );
    check(
        "procedure main() { var x: int; x := 1; var y: int; assert a && b || c; assert 1 < 2 < 3; }",
        expect![[r#"
        a.bpl:1:40: error: a variable is declared behind a statement
          procedure main() { var x: int; x := 1; var y: int; assert a && b || c; assert 1 < 2 < 3; }
                                                 ^^^
        hint: declarations come first in the body of a procedure
        a.bpl:1:66: error: `&&` and `||` stand next to each other
          procedure main() { var x: int; x := 1; var y: int; assert a && b || c; assert 1 < 2 < 3; }
                                                                           ^^
        hint: parentheses say which comes first
        a.bpl:1:85: error: comparisons do not stand in a row
          procedure main() { var x: int; x := 1; var y: int; assert a && b || c; assert 1 < 2 < 3; }
                                                                                              ^
        hint: write `a < b && b < c`, or use parentheses
    "#]],
    );
    check(
        "var x: int",
        expect![[r#"
        a.bpl:1:11: error: the text ends too early: `;` should stand here, behind the declaration
          var x: int
                    ^
    "#]],
    );
    check(
        "procedure main() { if x { } }",
        expect![[r#"
        a.bpl:1:23: error: `(` should stand here, before the test
          procedure main() { if x { } }
                                ^
        a.bpl:1:29: error: a declaration should stand here: `type`, `const`, `function`, `axiom`, `var`, `procedure` or `implementation`
          procedure main() { if x { } }
                                      ^
    "#]],
    );
    check(
        "procedure main() { yield; async call p(); par p(); }",
        expect![[r#"
        a.bpl:1:20: error: a statement should stand here
          procedure main() { yield; async call p(); par p(); }
                             ^^^^^
        hint: a place where tasks switch is written `assume {:yield} true;`
        a.bpl:1:27: error: a statement should stand here
          procedure main() { yield; async call p(); par p(); }
                                    ^^^^^
        hint: an asynchronous call is written `call {:async} p();`
        a.bpl:1:43: error: a statement should stand here
          procedure main() { yield; async call p(); par p(); }
                                                    ^^^
        hint: threads are started by `fork 1 p();` or by `call {:async} p();`
    "#]],
    );
    check(
        "procedure type() { }",
        expect![[r#"
        a.bpl:1:11: error: the name of a procedure should stand here
          procedure type() { }
                    ^^^^
        hint: `type` is a keyword; `\type` is a name
        a.bpl:1:15: error: the name of a type should stand here
          procedure type() { }
                        ^
    "#]],
    );
    check(
        "procedure main() { assert @; }",
        expect![[r#"
        a.bpl:1:27: error: `@` is no sign of Boogie
          procedure main() { assert @; }
                                    ^
        a.bpl:1:28: error: an expression should stand here
          procedure main() { assert @; }
                                     ^
    "#]],
    );
}

#[test]
fn names() {
    check_body(
        "x := z; q := 1; call pp(1); goto nowhere; assert ff(1) == gg(1);",
        expect![[r#"
        a.bpl:3:6: error: there is no variable or constant `z`
          x := z; q := 1; call pp(1); goto nowhere; assert ff(1) == gg(1);
               ^
        a.bpl:3:9: error: there is no variable or constant `q`
          x := z; q := 1; call pp(1); goto nowhere; assert ff(1) == gg(1);
                  ^
        a.bpl:3:22: error: there is no procedure `pp`
          x := z; q := 1; call pp(1); goto nowhere; assert ff(1) == gg(1);
                               ^^
        hint: did you mean `p`?
        a.bpl:3:34: error: there is no label `nowhere` in this procedure
          x := z; q := 1; call pp(1); goto nowhere; assert ff(1) == gg(1);
                                           ^^^^^^^
        a.bpl:3:50: error: there is no function `ff`
          x := z; q := 1; call pp(1); goto nowhere; assert ff(1) == gg(1);
                                                           ^^
        hint: did you mean `f`?
    "#]],
    );
    check(
        "var x: itn; procedure main() { }",
        expect![[r#"
        a.bpl:1:8: error: there is no type `itn`
          var x: itn; procedure main() { }
                 ^^^
        hint: did you mean `int`?
    "#]],
    );
    check(
        "var x: int; const x: bool; procedure main() { } procedure main() { }",
        expect![[r#"
        a.bpl:1:19: error: `x` is declared twice
          var x: int; const x: bool; procedure main() { } procedure main() { }
                            ^
    "#]],
    );
    check(
        "procedure main() { l: l: }",
        expect![[r#"
        a.bpl:1:23: error: the label `l` stands at two places
          procedure main() { l: l: }
                                ^
    "#]],
    );
}

#[test]
fn types() {
    check_body(
        "x := b; b := x + b; m[b] := 1; x[1] := 2; assert x; if (x) { }",
        expect![[r#"
            a.bpl:3:6: error: this should be of type int, but it is of type bool
              x := b; b := x + b; m[b] := 1; x[1] := 2; assert x; if (x) { }
                   ^
            a.bpl:3:18: error: this should be of type int, but it is of type bool
              x := b; b := x + b; m[b] := 1; x[1] := 2; assert x; if (x) { }
                               ^
            a.bpl:3:23: error: this should be of type int, but it is of type bool
              x := b; b := x + b; m[b] := 1; x[1] := 2; assert x; if (x) { }
                                    ^
            a.bpl:3:32: error: this should be a map, but it is of type int
              x := b; b := x + b; m[b] := 1; x[1] := 2; assert x; if (x) { }
                                             ^
            a.bpl:3:50: error: this should be of type bool, but it is of type int
              x := b; b := x + b; m[b] := 1; x[1] := 2; assert x; if (x) { }
                                                               ^
            a.bpl:3:57: error: this should be of type bool, but it is of type int
              x := b; b := x + b; m[b] := 1; x[1] := 2; assert x; if (x) { }
                                                                      ^
        "#]],
    );
    check_body(
        "call b := p(1); call x := p(b); call x := p(1, 2); call p(1); x, y := 1; assert f(b) == 1;",
        expect![[r#"
            a.bpl:3:6: error: `b` is of type bool, but the result is of type int
              call b := p(1); call x := p(b); call x := p(1, 2); call p(1); x, y := 1; assert f(b) == 1;
                   ^
            a.bpl:3:29: error: this should be of type int, but it is of type bool
              call b := p(1); call x := p(b); call x := p(1, 2); call p(1); x, y := 1; assert f(b) == 1;
                                          ^
            a.bpl:3:33: error: `p` takes one argument, but here are 2
              call b := p(1); call x := p(b); call x := p(1, 2); call p(1); x, y := 1; assert f(b) == 1;
                                              ^^^^^^^^^^^^^^^^^^
            a.bpl:3:52: error: `p` gives one result, but here are 0
              call b := p(1); call x := p(b); call x := p(1, 2); call p(1); x, y := 1; assert f(b) == 1;
                                                                 ^^^^^^^^^^
            a.bpl:3:63: error: 2 variables cannot take one value
              call b := p(1); call x := p(b); call x := p(1, 2); call p(1); x, y := 1; assert f(b) == 1;
                                                                            ^^^^^^^^^^
            a.bpl:3:83: error: this should be of type int, but it is of type bool
              call b := p(1); call x := p(b); call x := p(1, 2); call p(1); x, y := 1; assert f(b) == 1;
                                                                                                ^
        "#]],
    );
    check(
        "type t a; var x: t; procedure main() { }",
        expect![[r#"
        a.bpl:1:18: error: `t` takes one type, but here are 0
          type t a; var x: t; procedure main() { }
                           ^
    "#]],
    );
    check(
        "type a = [int]b; type b = a; var x: a; procedure main() { }",
        expect![[r#"
        a.bpl:1:11: error: this type is nested too deep
          type a = [int]b; type b = a; var x: a; procedure main() { }
                    ^^^
        hint: does a synonym stand for itself?
        a.bpl:1:27: error: this type is nested too deep
          type a = [int]b; type b = a; var x: a; procedure main() { }
                                    ^
        hint: does a synonym stand for itself?
    "#]],
    );
    check(
        "var x: bv8; procedure main() modifies x; { x := 1; x := 256bv8; x := x[9:8]; x := x ++ x; }",
        expect![[r#"
        a.bpl:1:49: error: this should be of type bv8, but it is of type int
          var x: bv8; procedure main() modifies x; { x := 1; x := 256bv8; x := x[9:8]; x := x ++ x; }
                                                          ^
        hint: a bit-vector is written with its width, as in `7bv8`
        a.bpl:1:57: error: this number does not fit into a bv8
          var x: bv8; procedure main() modifies x; { x := 1; x := 256bv8; x := x[9:8]; x := x ++ x; }
                                                                  ^^^^^^
        a.bpl:1:70: error: `[9:8]` does not take bits out of a bv8
          var x: bv8; procedure main() modifies x; { x := 1; x := 256bv8; x := x[9:8]; x := x ++ x; }
                                                                               ^^^^^^
        hint: the first number is one above the highest bit
        a.bpl:1:83: error: this should be of type bv8, but it is of type bv16
          var x: bv8; procedure main() modifies x; { x := 1; x := 256bv8; x := x[9:8]; x := x ++ x; }
                                                                                            ^^^^^^
    "#]],
    );
}

#[test]
fn writes() {
    check(
        "var g: int; const c: int; procedure main(n: int) { g := 1; c := 2; n := 3; havoc g; }",
        expect![[r#"
        a.bpl:1:52: error: `g` is not among the variables that this procedure modifies
          var g: int; const c: int; procedure main(n: int) { g := 1; c := 2; n := 3; havoc g; }
                                                             ^
        hint: add `modifies g;` to the procedure
        a.bpl:1:60: error: `c` is a constant, and keeps its value
          var g: int; const c: int; procedure main(n: int) { g := 1; c := 2; n := 3; havoc g; }
                                                                     ^
        a.bpl:1:68: error: `n` is a parameter, and keeps its value
          var g: int; const c: int; procedure main(n: int) { g := 1; c := 2; n := 3; havoc g; }
                                                                             ^
        hint: use a local variable
        a.bpl:1:82: error: `g` is not among the variables that this procedure modifies
          var g: int; const c: int; procedure main(n: int) { g := 1; c := 2; n := 3; havoc g; }
                                                                                           ^
        hint: add `modifies g;` to the procedure
    "#]],
    );
    check_body(
        "x, x := 1, 2; havoc x, x;",
        expect![[r#"
        a.bpl:3:4: error: `x` is written twice at once
          x, x := 1, 2; havoc x, x;
             ^
        a.bpl:3:24: error: `x` is written twice at once
          x, x := 1, 2; havoc x, x;
                                 ^
    "#]],
    );
}

#[test]
fn contracts() {
    check(
        "var g: int; axiom g > 0; function f(x: int): int { x + g } procedure main() { }",
        expect![[r#"
        a.bpl:1:56: error: `g` is a variable: functions and axioms speak of constants only
          var g: int; axiom g > 0; function f(x: int): int { x + g } procedure main() { }
                                                                 ^
        hint: give it to the function as an argument
    "#]],
    );
    check(
        "procedure main() { assert old(1) == 1; call p(); } procedure p() requires old(1) == 1; { }",
        expect![[r#"
        a.bpl:1:75: error: `old` has no meaning here
          procedure main() { assert old(1) == 1; call p(); } procedure p() requires old(1) == 1; { }
                                                                                    ^^^^^^
        hint: it stands in procedures and in `ensures` clauses
    "#]],
    );
    check(
        "procedure p(n: int); implementation p(n: bool) { } implementation q() { } procedure main() { }",
        expect![[r#"
            a.bpl:1:37: error: the parameters and results are not those of the procedure `p`
              procedure p(n: int); implementation p(n: bool) { } implementation q() { } procedure main() { }
                                                  ^^^^^^^^^^
            a.bpl:1:67: error: there is no procedure `q` to implement
              procedure p(n: int); implementation p(n: bool) { } implementation q() { } procedure main() { }
                                                                                ^
            hint: declare it: `procedure …;`
        "#]],
    );
    check(
        "procedure main() { break; } procedure p() modifies q; { call main(); }",
        expect![[r#"
        a.bpl:1:20: error: there is nothing around this `break` that it could leave
          procedure main() { break; } procedure p() modifies q; { call main(); }
                             ^^^^^^
        a.bpl:1:52: error: there is no global variable `q`
          procedure main() { break; } procedure p() modifies q; { call main(); }
                                                             ^
        a.bpl:1:62: error: `main` is where the program begins, and cannot be called
          procedure main() { break; } procedure p() modifies q; { call main(); }
                                                                       ^^^^
    "#]],
    );
}

#[test]
fn threads() {
    check(
        "type task a; procedure main() { var t: task int; var b: bool; call {:async b} p(); fork 1 p(); } procedure p() { }",
        expect![[r#"
            a.bpl:1:84: error: `fork` and `join` cannot stand in a program with asynchronous calls
              … int; var b: bool; call {:async b} p(); fork 1 p(); } procedure p() { }
                                                       ^^^^^^^^^^^
            hint: threads that fork switch anywhere, asynchronous tasks only at `yield` and `wait`
        "#]],
    );
    check(
        "procedure main() { var b: bool; call {:async b} p(); assume {:wait} true; atomic { assume {:yield} true; } }
        procedure p() { }",
        expect![[r#"
            a.bpl:1:46: error: a task cannot be kept in a variable of type bool
              …dure main() { var b: bool; call {:async b} p(); assume {:wait} true; atomic { assume {:yield} true;…
                                                       ^
            hint: declare `type task a;`, and the variable of type `task int`
            a.bpl:1:61: error: `wait` takes the variable that names the task
              …ar b: bool; call {:async b} p(); assume {:wait} true; atomic { assume {:yield} true; } }
                                                       ^^^^^^^
            hint: write `{:wait t}`, or `{:wait x, t}` for its result
            a.bpl:1:84: error: a task cannot yield inside an atomic block
              …c b} p(); assume {:wait} true; atomic { assume {:yield} true; } }
                                                       ^^^^^^^^^^^^^^^^^^^^^
        "#]],
    );
    check(
        "procedure main() { var i, j: int; fork i, j p(); } procedure p() { }",
        expect![[r#"
        a.bpl:1:43: error: two parts of this thread's name vary
          procedure main() { var i, j: int; fork i, j p(); } procedure p() { }
                                                    ^
        hint: at most one part may be other than a literal
    "#]],
    );
    check(
        "type t; procedure main() { var i: t; fork i p(); } procedure p() { }",
        expect![[r#"
        a.bpl:1:43: error: the name of a thread cannot be of type t
          type t; procedure main() { var i: t; fork i p(); } procedure p() { }
                                                    ^
        hint: use integers, truth values or bit-vectors
    "#]],
    );
    check(
        "procedure main() { call __VERIFIER_atomic_begin(); }",
        expect![[r#"
        a.bpl:1:20: error: this atomic block does not end among these statements
          procedure main() { call __VERIFIER_atomic_begin(); }
                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        hint: `call __VERIFIER_atomic_end();` should stand in the same block
    "#]],
    );
}

#[test]
fn what_is_not_supported_is_named() {
    check(
        "var x: real; procedure main() { }",
        expect![[r#"
        a.bpl:1:8: error: real numbers are not supported
          var x: real; procedure main() { }
                 ^^^^
    "#]],
    );
    check(
        "procedure main() { var x: int; assert x / 2 == 1; assert 1.5 == 1.5; assert x ** 2 == 4; }",
        expect![[r#"
        a.bpl:1:39: error: `/` divides real numbers, which are not supported
          procedure main() { var x: int; assert x / 2 == 1; assert 1.5 == 1.5; assert x ** 2 == 4; }
                                                ^^^^^
        hint: integers are divided by `div`
        a.bpl:1:58: error: real numbers are not supported
          procedure main() { var x: int; assert x / 2 == 1; assert 1.5 == 1.5; assert x ** 2 == 4; }
                                                                   ^^^
        a.bpl:1:77: error: `**` is not supported
          procedure main() { var x: int; assert x / 2 == 1; assert 1.5 == 1.5; assert x ** 2 == 4; }
                                                                                      ^^^^^^
    "#]],
    );
    check(
        "var x: <a>[a]int; procedure main() { }",
        expect![[r#"
        a.bpl:1:9: error: maps with type parameters are not supported
          var x: <a>[a]int; procedure main() { }
                  ^
    "#]],
    );
    check(
        "procedure p<a>(x: a) { } procedure main() { }",
        expect![[r#"
        a.bpl:1:13: error: procedures with type parameters are not supported
          procedure p<a>(x: a) { } procedure main() { }
                      ^
    "#]],
    );
    check(
        "function f(x: int): int { f(x) } procedure main() { }",
        expect![[r#"
        a.bpl:1:10: error: the function `f` is defined by itself, which is not supported
          function f(x: int): int { f(x) } procedure main() { }
                   ^
    "#]],
    );
    check(
        "const a: int extends b; procedure main() { }",
        expect![[r#"
        a.bpl:1:14: error: the order of constants, `extends`, is not supported
          const a: int extends b; procedure main() { }
                       ^^^^^^^
    "#]],
    );
    check(
        "function {:bvbuiltin \"bvmagic\"} f(bv8) returns (bv8); procedure main() { assert f(1bv8) == 1bv8; }",
        expect![[r#"
            a.bpl:1:33: error: the solver's `bvmagic` is not supported
              function {:bvbuiltin "bvmagic"} f(bv8) returns (bv8); procedure main() { assert f(1bv8) == 1bv8; }
                                              ^
        "#]],
    );
}

#[test]
fn where_to_begin() {
    check(
        "procedure p() { }",
        expect![[r#"
        a.bpl:1:1: error: the program does not say which procedure runs first
          procedure p() { }
          ^
        hint: call it `main` or `ULTIMATE.start`, or give it the attribute `{:entrypoint}`
    "#]],
    );
    check(
        "procedure main();",
        expect![[r#"
        a.bpl:1:11: error: `main` runs first, but has no body
          procedure main();
                    ^^^^^^
    "#]],
    );
}
