//! Wrong statements, parentheses that do not match, limits.

use crate::{statements, weaver};
use expect_test::expect;

#[test]
fn atomic() {
    statements(
        r#"(atomic (if b (set! x 1)))
(atomic (while b))
(atomic (seq (set! x 1)))
(atomic (cond (seq)))
(atomic (loop))
(atomic (par))
(atomic (declare (z Int)))
(atomic (replicate 2 (seq)))
(atomic (atomic (if b (seq))))
(atomic (assert b))"#,
        expect![[r#"
            a.wvr:2:9: error: `if` cannot stand inside `atomic`
              (atomic (if b (set! x 1)))
                      ^^^^^^^^^^^^^^^^^
            hint: use an `if` expression: `(set! x (if c a b))`
            a.wvr:3:9: error: `while` cannot stand inside `atomic`
              (atomic (while b))
                      ^^^^^^^^^
            hint: `atomic` takes `assume`, `set!`, `store!` and `havoc!`; use `if` expressions
            a.wvr:4:9: error: `seq` cannot stand inside `atomic`
              (atomic (seq (set! x 1)))
                      ^^^^^^^^^^^^^^^^
            hint: `atomic` already runs its statements in order
            a.wvr:5:9: error: `cond` cannot stand inside `atomic`
              (atomic (cond (seq)))
                      ^^^^^^^^^^^^
            hint: use an `if` expression: `(set! x (if c a b))`
            a.wvr:6:9: error: `loop` cannot stand inside `atomic`
              (atomic (loop))
                      ^^^^^^
            hint: `atomic` takes `assume`, `set!`, `store!` and `havoc!`; use `if` expressions
            a.wvr:7:9: error: `par` cannot stand inside `atomic`
              (atomic (par))
                      ^^^^^
            hint: `atomic` takes `assume`, `set!`, `store!` and `havoc!`; use `if` expressions
            a.wvr:8:9: error: `declare` cannot stand inside `atomic`
              (atomic (declare (z Int)))
                      ^^^^^^^^^^^^^^^^^
            hint: put it around the `atomic`
            a.wvr:9:9: error: `replicate` cannot stand inside `atomic`
              (atomic (replicate 2 (seq)))
                      ^^^^^^^^^^^^^^^^^^^
            hint: `atomic` takes `assume`, `set!`, `store!` and `havoc!`; use `if` expressions
            a.wvr:10:17: error: `if` cannot stand inside `atomic`
              (atomic (atomic (if b (seq))))
                              ^^^^^^^^^^^^
            hint: use an `if` expression: `(set! x (if c a b))`
            a.wvr:11:9: error: `assert` cannot stand inside `atomic`
              (atomic (assert b))
                      ^^^^^^^^^^
            hint: `atomic` takes `assume`, `set!`, `store!` and `havoc!`; use `if` expressions
        "#]],
    );
}

#[test]
fn parentheses() {
    weaver(
        r#"(seq"#,
        expect![[r#"
        a.wvr:1:1: error: `(` is never closed
          (seq
          ^
        hint: add a `)`
    "#]],
    );
    weaver(
        r#"(seq))"#,
        expect![[r#"
        a.wvr:1:6: error: `)` closes nothing
          (seq))
               ^
        hint: remove it, or add the `(` that is missing before it
    "#]],
    );
    weaver(
        r#"(assume (= x 1)"#,
        expect![[r#"
        a.wvr:1:1: error: `(` is never closed
          (assume (= x 1)
          ^
        hint: add a `)`
    "#]],
    );
    weaver(
        r#"(var é Int)
(seq)"#,
        expect![[r#"
            a.wvr:1:6: error: this character cannot stand here
              (var é Int)
                   ^
            hint: names with other characters than letters, digits and signs stand in bars: |like this|
        "#]],
    );
    weaver(
        r#"(seq) "abc"#,
        expect![[r#"
        a.wvr:1:7: error: a string that does not end
          (seq) "abc
                ^
        hint: add a `"`
    "#]],
    );
    weaver(
        r#"#z (seq)"#,
        expect![[r#"
        a.wvr:1:1: error: `#` starts no number here
          #z (seq)
          ^
        hint: write `#x` and hexadecimal digits, or `#b` and binary digits
    "#]],
    );
}

#[test]
fn several_errors_come_at_once() {
    weaver(
        r#"(var x Int)
(set! y 1)
(par
	(set! x true)
	(seq (assume x) (set! x 1) (sett! x 1)))
(if z (assert x) (set! x))
(while (= x) (set! q 1))
"#,
        expect![[r#"
            a.wvr:2:7: error: `y` is not declared
              (set! y 1)
                    ^
            a.wvr:4:10: error: `x` is of type Int, but this is of type Bool
                  (set! x true)
                          ^^^^
            a.wvr:5:15: error: this should be of type Bool, but it is of type Int
                  (seq (assume x) (set! x 1) (sett! x 1)))
                               ^
            a.wvr:5:30: error: there is no statement `sett!`
                  (seq (assume x) (set! x 1) (sett! x 1)))
                                              ^^^^^
            hint: did you mean `set!`?
            a.wvr:6:5: error: `z` is not declared
              (if z (assert x) (set! x))
                  ^
            a.wvr:6:7: error: Weaver's language does not have `assert`
              (if z (assert x) (set! x))
                    ^^^^^^^^^^
            hint: Weaver claims that no execution ends: write a last `(assume (not …))`
            a.wvr:6:18: error: `set!` takes a variable and its new value
              (if z (assert x) (set! x))
                               ^^^^^^^^
            hint: write `(set! x e)`
            a.wvr:7:20: error: `q` is not declared
              (while (= x) (set! q 1))
                                 ^
        "#]],
    );
    weaver(
        r#"(var x int)
(var y Bol)
(set! z 1)
(seq)"#,
        expect![[r#"
            a.wvr:1:8: error: there is no sort `int`
              (var x int)
                     ^^^
            hint: did you mean `Int`?
            a.wvr:2:8: error: there is no sort `Bol`
              (var y Bol)
                     ^^^
            hint: did you mean `Bool`?
        "#]],
    );
    weaver(
        r#"(replicate 3 (set! x 1) (set! y 1))"#,
        expect![[r#"
        a.wvr:1:20: error: `x` is not declared
          (replicate 3 (set! x 1) (set! y 1))
                             ^
        a.wvr:1:31: error: `y` is not declared
          (replicate 3 (set! x 1) (set! y 1))
                                        ^
    "#]],
    );
}

#[test]
fn limits() {
    weaver(
        r#"(replicate 1001 (seq))"#,
        expect![[r#"
        a.wvr:1:12: error: `replicate` makes at most 1000 copies
          (replicate 1001 (seq))
                     ^^^^
    "#]],
    );
    weaver(
        r#"(replicate 99999999999999999999999 (seq))"#,
        expect![[r#"
        a.wvr:1:12: error: `replicate` makes at most 1000 copies
          (replicate 99999999999999999999999 (seq))
                     ^^^^^^^^^^^^^^^^^^^^^^^
    "#]],
    );
    weaver(
        r#"(replicate 1000 (replicate 1000 (seq)))"#,
        expect![[r#"
        a.wvr:1:28: error: the copies have more than 100,000 statements in total
          (replicate 1000 (replicate 1000 (seq)))
                                     ^^^^
        hint: `replicate` writes its copies out; make fewer
    "#]],
    );
    weaver(
        r#"(replicate 500 (replicate 500))"#,
        expect![[r#"
        a.wvr:1:27: error: the copies have more than 100,000 statements in total
          (replicate 500 (replicate 500))
                                    ^^^
        hint: `replicate` writes its copies out; make fewer
    "#]],
    );
}
