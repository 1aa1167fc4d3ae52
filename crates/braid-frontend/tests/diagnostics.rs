//! What is said about texts that are not programs: one wrong statement to a line, each with its message.

use braid_frontend::{Language, parse};
use expect_test::{Expect, expect};

fn check(text: &str, language: Language, expected: Expect) {
    let name = format!("a.{}", language.extension());
    let diagnostics = parse(&name, text, language).expect_err("this is not a program");
    expected.assert_eq(&diagnostics.to_string());
}

/// Statements that are wrong, after declarations that are right.
fn statements(text: &str, expected: Expect) {
    let declarations = "(var x y Int) (var b Bool) (var a (Array Int Int)) (var f (Int) Int) (var p (Int Bool) Bool)";
    check(&format!("{declarations}\n{text}"), Language::Weaver, expected);
}

fn weaver(text: &str, expected: Expect) {
    check(text, Language::Weaver, expected);
}

fn braid(text: &str, expected: Expect) {
    check(text, Language::Braid, expected);
}

#[test]
fn names() {
    statements(
        r#"(assume (= coutner 0))
(assume (= X 0))
(assume (= x -1))
(assume (= f 0))
(assume (= (g x) 0))
(assume (= (x 1) 0))
(assume (= x (f 1 2)))
(assume (p 1 2))
(set! f 1)
(set! (f 0) 1)
(store! f 0 1)
(set! zz 1)"#,
        expect![[r#"
            a.wvr:2:12: error: `coutner` is not declared
              (assume (= coutner 0))
                         ^^^^^^^
            a.wvr:3:12: error: `X` is not declared
              (assume (= X 0))
                         ^
            hint: did you mean `x`?
            a.wvr:4:14: error: `-1` is not a number but a name, and it is not declared
              (assume (= x -1))
                           ^^
            hint: write `(- 1)`
            a.wvr:5:12: error: `f` is a function of 1 argument
              (assume (= f 0))
                         ^
            hint: apply it: `(f …)`
            a.wvr:6:13: error: there is no operator or function `g`
              (assume (= (g x) 0))
                          ^
            hint: a function is declared as `(var g (Int) Int)`
            a.wvr:7:13: error: `x` is a variable and takes no arguments
              (assume (= (x 1) 0))
                          ^
            hint: a function is declared as `(var x (Int) Int)`, an array is read by `select`
            a.wvr:8:14: error: this takes 1 operand, but there are 2
              (assume (= x (f 1 2)))
                           ^^^^^^^
            hint: `f` is a function of (Int) to Int
            a.wvr:9:14: error: this should be of type Bool, but it is of type Int
              (assume (p 1 2))
                           ^
            hint: `p` is a function of (Int Bool) to Bool
            a.wvr:10:7: error: `f` is a function and never changes
              (set! f 1)
                    ^
            hint: a table that changes is an array: `(var a (Array Int Int))`, `(store! a i v)`
            a.wvr:11:7: error: the name of a variable should stand here
              (set! (f 0) 1)
                    ^^^^^
            hint: an element of an array is set by `(store! a i v)`; `.braid` files have `(set! (x y) (e1 e2))`
            a.wvr:12:9: error: `f` is a function and never changes
              (store! f 0 1)
                      ^
            hint: a table that changes is an array: `(var a (Array Int Int))`, `(store! a i v)`
            a.wvr:13:7: error: `zz` is not declared
              (set! zz 1)
                    ^^
        "#]],
    );
    weaver(
        r#"(var counter Int)
(assume (= conuter 0))
(set! countre 1)"#,
        expect![[r#"
            a.wvr:2:12: error: `conuter` is not declared
              (assume (= conuter 0))
                         ^^^^^^^
            hint: did you mean `counter`?
            a.wvr:3:7: error: `countre` is not declared
              (set! countre 1)
                    ^^^^^^^
            hint: did you mean `counter`?
        "#]],
    );
}

#[test]
fn types() {
    statements(
        r#"(assume x)
(assume (and b x))
(assume (= x b))
(assume (< x b))
(assume (not x))
(assume (if x b b))
(assume (if b x b))
(assume (select x 1))
(assume (select a b))
(assume (= (store a 1 b) a))
(assume (+ x 1))
(set! x b)
(store! x 1 1)
(store! a b 1)
(while x)
(use x)"#,
        expect![[r#"
            a.wvr:2:9: error: this should be of type Bool, but it is of type Int
              (assume x)
                      ^
            a.wvr:3:16: error: this should be of type Bool, but it is of type Int
              (assume (and b x))
                             ^
            a.wvr:4:14: error: this should be of type Int, but it is of type Bool
              (assume (= x b))
                           ^
            a.wvr:5:14: error: this should be of type Int, but it is of type Bool
              (assume (< x b))
                           ^
            a.wvr:6:14: error: this should be of type Bool, but it is of type Int
              (assume (not x))
                           ^
            a.wvr:7:13: error: this should be of type Bool, but it is of type Int
              (assume (if x b b))
                          ^
            a.wvr:8:17: error: this should be of type Int, but it is of type Bool
              (assume (if b x b))
                              ^
            a.wvr:9:17: error: this should be an array, but it is of type Int
              (assume (select x 1))
                              ^
            a.wvr:10:19: error: this should be of type Int, but it is of type Bool
              (assume (select a b))
                                ^
            a.wvr:11:23: error: this should be of type Int, but it is of type Bool
              (assume (= (store a 1 b) a))
                                    ^
            a.wvr:12:9: error: this should be of type Bool, but it is of type Int
              (assume (+ x 1))
                      ^^^^^^^
            a.wvr:13:9: error: `x` is of type Int, but this is of type Bool
              (set! x b)
                      ^
            a.wvr:14:9: error: this should be an array, but it is of type Int
              (store! x 1 1)
                      ^
            a.wvr:15:11: error: this should be of type Int, but it is of type Bool
              (store! a b 1)
                        ^
            a.wvr:16:8: error: this should be of type Bool, but it is of type Int
              (while x)
                     ^
            a.wvr:17:2: error: the declaration `use` stands after a statement
              (use x)
               ^^^
            hint: all declarations come first
        "#]],
    );
    weaver(
        r#"(use y) (var y Bool)
(seq)"#,
        expect![[r#"
            a.wvr:1:6: error: `y` is not declared
              (use y) (var y Bool)
                   ^
        "#]],
    );
    weaver(
        r#"(var y Bool) (use (+ 1))
(seq)"#,
        expect![[r#"
            a.wvr:1:19: error: this should be of type Bool, but it is of type Int
              (var y Bool) (use (+ 1))
                                ^^^^^
        "#]],
    );
}

#[test]
fn arities() {
    statements(
        r#"(assume (not))
(assume (< 1 2 3))
(assume (= ))
(assume (ite b b))
(assume (select a))
(assume (store a 1))
(assume )
(assume)
(assume b b)
(set! x)
(store! a 1)
(if b)
(if b (seq) (seq) (seq))
(while)
(havoc!)
(havoc! x y x)"#,
        expect![[r#"
            a.wvr:2:10: error: `not` takes one operand, but there are 0
              (assume (not))
                       ^^^
            a.wvr:3:10: error: `<` takes two operands, but there are 3
              (assume (< 1 2 3))
                       ^
            hint: chains are written with `and`
            a.wvr:4:10: error: `=` takes at least one operand, but there are 0
              (assume (= ))
                       ^
            a.wvr:5:10: error: `ite` takes three operands: a test and two values, but there are 2
              (assume (ite b b))
                       ^^^
            a.wvr:6:10: error: `select` takes two operands: an array and an index, but there is 1
              (assume (select a))
                       ^^^^^^
            a.wvr:7:10: error: `store` takes three operands: an array, an index and a value, but there are 2
              (assume (store a 1))
                       ^^^^^
            a.wvr:8:1: error: exactly one formula should stand here
              (assume )
              ^^^^^^^^^
            hint: several are joined by `and`
            a.wvr:9:1: error: exactly one formula should stand here
              (assume)
              ^^^^^^^^
            hint: several are joined by `and`
            a.wvr:10:1: error: exactly one formula should stand here
              (assume b b)
              ^^^^^^^^^^^^
            hint: several are joined by `and`
            a.wvr:11:1: error: `set!` takes a variable and its new value
              (set! x)
              ^^^^^^^^
            hint: write `(set! x e)`
            a.wvr:12:1: error: `store!` takes an array variable, an index and a value
              (store! a 1)
              ^^^^^^^^^^^^
            hint: write `(store! a i v)`
            a.wvr:13:1: error: `if` takes a test, a statement, and perhaps another statement
              (if b)
              ^^^^^^
            hint: several statements become one by `(seq …)`
            a.wvr:14:1: error: `if` takes a test, a statement, and perhaps another statement
              (if b (seq) (seq) (seq))
              ^^^^^^^^^^^^^^^^^^^^^^^^
            hint: several statements become one by `(seq …)`
            a.wvr:15:1: error: `while` takes a test and statements
              (while)
              ^^^^^^^
            hint: write `(while c s …)`
            a.wvr:16:1: error: `havoc!` takes the variables that get any value
              (havoc!)
              ^^^^^^^^
            hint: write `(havoc! x)`
            a.wvr:17:13: error: this variable is written twice by one statement
              (havoc! x y x)
                          ^
        "#]],
    );
    statements(
        r#"(declare x)
(declare (x))
(declare ((x Int) (y Int)))
(replicate)
(replicate x (seq))
(replicate #x2 (seq))"#,
        expect![[r#"
            a.wvr:2:10: error: `declare` takes one name and its sort first
              (declare x)
                       ^
            hint: write `(declare (x Int) s …)`
            a.wvr:3:10: error: `declare` takes one name and its sort first
              (declare (x))
                       ^^^
            hint: write `(declare (x Int) s …)`
            a.wvr:4:11: error: the name of a variable should stand here
              (declare ((x Int) (y Int)))
                        ^^^^^^^
            a.wvr:5:1: error: `replicate` takes a number and statements
              (replicate)
              ^^^^^^^^^^^
            hint: write `(replicate 2 s …)`
            a.wvr:6:12: error: this should be a number such as 2
              (replicate x (seq))
                         ^
            a.wvr:7:12: error: this should be a number such as 2
              (replicate #x2 (seq))
                         ^^^
        "#]],
    );
}

#[test]
fn not_in_the_language() {
    statements(
        r#"(assume (= (/ x 2) 1))
(assume (distinct x y))
(assume (= (div x 2) 1))
(assume (bvult x y))
(assume (= x 1.5))
(assume (= x "s"))
(assume (= x :k))
(assume (1 2))
(assume ())
(assume ((x)))
(assume (let ((z 1)) b))
(assume (forall ((z Int)) b))
(assume (true))
(assume ((as const (Array Int Int)) 0))
(assume (== x 1))
(assume (= (_ bv1 8) x))"#,
        expect![[r#"
            a.wvr:2:12: error: integer division is not part of the language
              (assume (= (/ x 2) 1))
                         ^^^^^^^
            hint: solvers take `/` as division of real numbers; `.braid` files have `(div a b)` and `(mod a b)`
            a.wvr:3:10: error: there is no operator or function `distinct`
              (assume (distinct x y))
                       ^^^^^^^^
            hint: write `/=`
            a.wvr:4:13: error: `div` is not part of Weaver's language
              (assume (= (div x 2) 1))
                          ^^^
            hint: files named `.braid` may use it
            a.wvr:5:10: error: `bvult` is not part of Weaver's language
              (assume (bvult x y))
                       ^^^^^
            hint: files named `.braid` may use it
            a.wvr:6:14: error: there are no decimal numbers, only integers
              (assume (= x 1.5))
                           ^^^
            a.wvr:7:14: error: there are no strings in expressions
              (assume (= x "s"))
                           ^^^
            a.wvr:8:14: error: there are no keywords in expressions
              (assume (= x :k))
                           ^^
            a.wvr:9:10: error: an expression in parentheses starts with an operator or a function
              (assume (1 2))
                       ^
            hint: parentheses do not group; `(x)` is written only for names
            a.wvr:10:9: error: an expression is missing between these parentheses
              (assume ())
                      ^^
            a.wvr:11:10: error: an expression in parentheses starts with an operator or a function
              (assume ((x)))
                       ^^^
            hint: parentheses do not group
            a.wvr:12:10: error: there is no operator or function `let`
              (assume (let ((z 1)) b))
                       ^^^
            hint: there is no `let`; use a variable made by `declare`
            a.wvr:13:10: error: there is no operator or function `forall`
              (assume (forall ((z Int)) b))
                       ^^^^^^
            hint: there are no quantifiers in programs
            a.wvr:14:10: error: there is no operator or function `true`
              (assume (true))
                       ^^^^
            hint: write it without parentheses
            a.wvr:15:10: error: Weaver's language does not have constant arrays
              (assume ((as const (Array Int Int)) 0))
                       ^^^^^^^^^^^^^^^^^^^^^^^^^^
            hint: files named `.braid` may use it
            a.wvr:16:10: error: there is no operator or function `==`
              (assume (== x 1))
                       ^^
            hint: write `=`
            a.wvr:17:13: error: `_` is not part of Weaver's language
              (assume (= (_ bv1 8) x))
                          ^
            hint: files named `.braid` may use it
        "#]],
    );
    statements(
        r#"(assert b)
(fork 1 t)
(goto l)
(set! (x y) (y x))
(skip)
(havoc x)
(asume b)
(= x 1)
x
()
((seq))
(1)
(proc f () ())"#,
        expect![[r#"
            a.wvr:2:1: error: Weaver's language does not have `assert`
              (assert b)
              ^^^^^^^^^^
            hint: Weaver claims that no execution ends: write a last `(assume (not …))`
            a.wvr:3:1: error: Weaver's language does not have `fork`
              (fork 1 t)
              ^^^^^^^^^^
            hint: Weaver's threads are the branches of `par`; `.braid` files have more
            a.wvr:4:1: error: Weaver's language does not have `goto`
              (goto l)
              ^^^^^^^^
            hint: files named `.braid` may use it
            a.wvr:5:7: error: the name of a variable should stand here
              (set! (x y) (y x))
                    ^^^^^
            hint: an element of an array is set by `(store! a i v)`; `.braid` files have `(set! (x y) (e1 e2))`
            a.wvr:6:2: error: there is no statement `skip`
              (skip)
               ^^^^
            hint: the statement that does nothing is `(seq)`
            a.wvr:7:2: error: there is no statement `havoc`
              (havoc x)
               ^^^^^
            hint: write `(havoc! x)`
            a.wvr:8:2: error: there is no statement `asume`
              (asume b)
               ^^^^^
            hint: did you mean `assume`?
            a.wvr:9:2: error: there is no statement `=`
              (= x 1)
               ^
            hint: this looks like an expression; a test is written `(assume …)`
            a.wvr:10:1: error: a statement should stand here, in parentheses
              x
              ^
            hint: several statements in a row need no extra parentheses
            a.wvr:11:1: error: a statement is missing between these parentheses
              ()
              ^^
            hint: `(seq)` does nothing
            a.wvr:12:2: error: a statement starts with a word such as `assume` or `set!`
              ((seq))
               ^^^^^
            hint: statements in a row stand inside `(seq …)`
            a.wvr:13:2: error: a statement starts with a word such as `assume` or `set!`
              (1)
               ^
            hint: statements in a row stand inside `(seq …)`
            a.wvr:14:2: error: Weaver's language does not have `proc`
              (proc f () ())
               ^^^^
            hint: files named `.braid` may use it
        "#]],
    );
}

#[test]
fn declarations() {
    weaver(
        r#"(var x Int)
(var x Bool)
(var y y Int)
(var z Int)
(var z (Int) Int)
(var)
(var u)
(var u v)
(var u int)
(var u Real)
(var g (Int Int))
(var u (Array Int))
(var u Array)
(var 1 Int)
(var u (_ BitVec 8))
(use later)
(var later Bool)"#,
        expect![[r#"
            a.wvr:2:6: error: `x` is declared twice
              (var x Bool)
                   ^
            hint: the first declaration is at 1:6
            a.wvr:3:8: error: `y` is declared twice
              (var y y Int)
                     ^
            hint: the first declaration is at 3:6
            a.wvr:5:6: error: `z` is declared twice
              (var z (Int) Int)
                   ^
            hint: the first declaration is at 4:6
            a.wvr:6:1: error: this declares nothing
              (var)
              ^^^^^
            hint: write `(var x Int)` or `(var f (Int) Int)`
            a.wvr:7:6: error: there is no sort `u`
              (var u)
                   ^
            hint: sorts are `Int`, `Bool` and `(Array S S)`
            a.wvr:8:8: error: there is no sort `v`
              (var u v)
                     ^
            hint: sorts are `Int`, `Bool` and `(Array S S)`
            a.wvr:9:8: error: there is no sort `int`
              (var u int)
                     ^^^
            hint: did you mean `Int`?
            a.wvr:10:8: error: there is no sort `Real`
              (var u Real)
                     ^^^^
            hint: there are integers only
            a.wvr:11:8: error: this is not a sort
              (var g (Int Int))
                     ^^^^^^^^^
            hint: a function has argument sorts and a result sort: `(var f (Int) Int)`
            a.wvr:12:8: error: an array sort has an index sort and an element sort
              (var u (Array Int))
                     ^^^^^^^^^^^
            hint: write `(Array Int Int)`
            a.wvr:13:8: error: an array sort has an index sort and an element sort
              (var u Array)
                     ^^^^^
            hint: write `(Array Int Int)`
            a.wvr:14:6: error: the name of a variable should stand here
              (var 1 Int)
                   ^
            a.wvr:15:8: error: Weaver's language does not have bit-vectors
              (var u (_ BitVec 8))
                     ^^^^^^^^^^^^
            hint: files named `.braid` may use it
            a.wvr:16:6: error: `later` is not declared
              (use later)
                   ^^^^^
        "#]],
    );
    weaver(
        r#"(seq)
(var x Int)
(seq (use true))"#,
        expect![[r#"
            a.wvr:2:2: error: the declaration `var` stands after a statement
              (var x Int)
               ^^^
            hint: all declarations come first; here, use `(declare (x Int) …)`
            a.wvr:3:7: error: the declaration `use` stands after a statement
              (seq (use true))
                    ^^^
            hint: all declarations come first
        "#]],
    );
    weaver(
        r#"(sort S)
(seq)"#,
        expect![[r#"
            a.wvr:1:2: error: Weaver's language does not have `sort`
              (sort S)
               ^^^^
            hint: files named `.braid` may use it
        "#]],
    );
    weaver(
        r#"(var x Int)
"#,
        expect![[r#"
            a.wvr:1:1: error: this program has no statements
              (var x Int)
              ^
            hint: the smallest program is `(seq)`
        "#]],
    );
    weaver(
        r#""#,
        expect![[r#"
        a.wvr:1:1: error: this program has no statements
        hint: the smallest program is `(seq)`
    "#]],
    );
    weaver(
        r#"; nothing
"#,
        expect![[r#"
            a.wvr:1:1: error: this program has no statements
              ; nothing
              ^
            hint: the smallest program is `(seq)`
        "#]],
    );
}

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
    weaver(
        r#"﻿(seq)"#,
        expect![[r#"
        a.wvr:1:1: error: the text starts with a byte order mark
          ﻿(seq)
          ^
        hint: save it without
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

#[test]
fn only_in_braid() {
    braid(
        r#"(assert 1)"#,
        expect![[r#"
        a.braid:1:9: error: this should be of type Bool, but it is of type Int
          (assert 1)
                  ^
    "#]],
    );
    braid(
        r#"(goto nowhere)"#,
        expect![[r#"
        a.braid:1:7: error: there is no label `nowhere` here
          (goto nowhere)
                ^^^^^^^
        hint: a jump goes to a `(label …)` of the same procedure and the same branch of `par`
    "#]],
    );
    braid(
        r#"(label a) (label a)"#,
        expect![[r#"
        a.braid:1:18: error: `a` is declared twice
          (label a) (label a)
                           ^
        hint: the first declaration is at 1:8
    "#]],
    );
    braid(
        r#"(label abc) (goto abd)"#,
        expect![[r#"
        a.braid:1:19: error: there is no label `abd` here
          (label abc) (goto abd)
                            ^^^
        hint: did you mean `abc`?
    "#]],
    );
    braid(
        r#"(label out) (par (goto out) (seq))"#,
        expect![[r#"
        a.braid:1:24: error: there is no label `out` here
          (label out) (par (goto out) (seq))
                                 ^^^
        hint: a jump goes to a `(label …)` of the same procedure and the same branch of `par`
    "#]],
    );
    braid(
        r#"(par (label in)) (goto in)"#,
        expect![[r#"
        a.braid:1:24: error: there is no label `in` here
          (par (label in)) (goto in)
                                 ^^
        hint: a jump goes to a `(label …)` of the same procedure and the same branch of `par`
    "#]],
    );
    braid(
        r#"(proc f () () (label l)) (goto l)"#,
        expect![[r#"
        a.braid:1:32: error: there is no label `l` here
          (proc f () () (label l)) (goto l)
                                         ^
        hint: a jump goes to a `(label …)` of the same procedure and the same branch of `par`
    "#]],
    );
    braid(
        r#"(proc f () ()) (proc f () ())
(seq)"#,
        expect![[r#"
            a.braid:1:22: error: `f` is declared twice
              (proc f () ()) (proc f () ())
                                   ^
            hint: the first declaration is at 1:7
        "#]],
    );
    braid(
        r#"(proc f ((x Int)) ((x Int)))
(seq)"#,
        expect![[r#"
            a.braid:1:21: error: `x` is declared twice
              (proc f ((x Int)) ((x Int)))
                                  ^
            hint: the first declaration is at 1:11
        "#]],
    );
    braid(
        r#"(proc f x ())
(seq)"#,
        expect![[r#"
            a.braid:1:9: error: a list should stand here
              (proc f x ())
                      ^
            hint: write `((x Int) (y Int))`, or `()` for none
        "#]],
    );
    braid(
        r#"(proc f)
(seq)"#,
        expect![[r#"
            a.braid:1:1: error: `proc` takes a name, parameters, results and statements
              (proc f)
              ^^^^^^^^
            hint: write `(proc f ((x Int)) ((r Int)) s …)`
        "#]],
    );
    braid(
        r#"(proc f ((x Int) (x Int)) ())
(seq)"#,
        expect![[r#"
            a.braid:1:19: error: `x` is declared twice
              (proc f ((x Int) (x Int)) ())
                                ^
            hint: the first declaration is at 1:11
        "#]],
    );
    braid(
        r#"(var x Int) (proc f ((a Int)) ((r Int)))
(call (x) g 1)
(call (x) f)
(call () f 1)
(call (x) f true)
(call x f 1)
(call (x))"#,
        expect![[r#"
            a.braid:2:11: error: there is no procedure `g`
              (call (x) g 1)
                        ^
            hint: declare it: `(proc g () () …)`
            a.braid:3:11: error: `f` takes 1 argument, but there are 0
              (call (x) f)
                        ^
            a.braid:4:7: error: `f` gives 1 result, but there are 0
              (call () f 1)
                    ^^
            a.braid:5:13: error: `a` is of type Int, but this is of type Bool
              (call (x) f true)
                          ^^^^
            a.braid:6:7: error: a list of variables for the results should stand here
              (call x f 1)
                    ^
            hint: write `()` for none
            a.braid:7:1: error: this is not how `call` is written
              (call (x))
              ^^^^^^^^^^
            hint: write `(call (result …) name argument …)`
        "#]],
    );
    braid(
        r#"(var b Bool) (proc f ((a Int)) ((r Int)))
(call (b) f 1)
(fork b f 1)
(fork 1 f b)
(async b f 1)
(async y f 1)
(join () b)
(wait (b b) 1)
(return b)"#,
        expect![[r#"
            a.braid:2:8: error: `b` is of type Bool, but the result is of type Int
              (call (b) f 1)
                     ^
            a.braid:3:7: error: this should be of type Int, but it is of type Bool
              (fork b f 1)
                    ^
            a.braid:4:11: error: `a` is of type Int, but this is of type Bool
              (fork 1 f b)
                        ^
            a.braid:5:8: error: the handle of a task is an Int, but this is of type Bool
              (async b f 1)
                     ^
            hint: write `_` if the handle is not needed
            a.braid:6:8: error: `y` is not declared
              (async y f 1)
                     ^
            a.braid:7:10: error: this should be of type Int, but it is of type Bool
              (join () b)
                       ^
            a.braid:8:10: error: this variable is written twice by one statement
              (wait (b b) 1)
                       ^
            a.braid:9:1: error: this is not how `return` is written
              (return b)
              ^^^^^^^^^^
            hint: write `(return)`; results are variables of the procedure, set them before
        "#]],
    );
    braid(
        r#"(proc main ((x Int)) ())"#,
        expect![[r#"
        a.braid:1:7: error: the procedure `main` has neither parameters nor results
          (proc main ((x Int)) ())
                ^^^^
    "#]],
    );
    braid(
        r#"(proc main () ()) (seq)"#,
        expect![[r#"
        a.braid:1:19: error: there is a procedure `main` and also a statement outside
          (proc main () ()) (seq)
                            ^^^^^
        hint: statements at top level are the main procedure; keep one of the two
    "#]],
    );
    braid(
        r#"(claim nothing)
(seq)"#,
        expect![[r#"
            a.braid:1:1: error: this is not a claim that can be made
              (claim nothing)
              ^^^^^^^^^^^^^^^
            hint: write `(claim assertions)` or `(claim no-complete-execution)`
        "#]],
    );
    braid(
        r#"(claim assertions) (claim assertions)
(seq)"#,
        expect![[r#"
            a.braid:1:20: error: there is already a claim above
              (claim assertions) (claim assertions)
                                 ^^^^^^^^^^^^^^^^^^
        "#]],
    );
    braid(
        r#"(sort S) (sort S) (sort Int) (var x T)
(seq)"#,
        expect![[r#"
            a.braid:1:16: error: the sort `S` is declared twice
              (sort S) (sort S) (sort Int) (var x T)
                             ^
            a.braid:1:25: error: the sort `Int` is always there
              (sort S) (sort S) (sort Int) (var x T)
                                      ^^^
            a.braid:1:37: error: there is no sort `T`
              (sort S) (sort S) (sort Int) (var x T)
                                                  ^
            hint: sorts are `Int`, `Bool`, `(Array S S)`, `(_ BitVec n)` and those of `(sort NAME)`
        "#]],
    );
    braid(
        r#"(var x y Int) (set! (x y) (1)) (set! (x y) 1) (set! (x x) (1 2)) (set! (x y) (1 true))"#,
        expect![[r#"
            a.braid:1:27: error: there are 1 value for 2 variables
              (var x y Int) (set! (x y) (1)) (set! (x y) 1) (set! (x x) (1 2)) (set! (x y) (1 true))
                                        ^^^
            hint: write `(set! (x y) (e1 e2))`
            a.braid:1:44: error: a list of values should stand here
              (var x y Int) (set! (x y) (1)) (set! (x y) 1) (set! (x x) (1 2)) (set! (x y) (1 true))
                                                         ^
            hint: write `(set! (x y) (e1 e2))`
            a.braid:1:56: error: this variable is written twice by one statement
              (var x y Int) (set! (x y) (1)) (set! (x y) 1) (set! (x x) (1 2)) (set! (x y) (1 true))
                                                                     ^
            a.braid:1:81: error: `y` is of type Int, but this is of type Bool
              (var x y Int) (set! (x y) (1)) (set! (x y) 1) (set! (x x) (1 2)) (set! (x y) (1 true))
                                                                                              ^^^^
        "#]],
    );
    braid(
        r#"(var x Int) (atomic (call () f)) (atomic (label l)) (atomic (while true)) (atomic (return)) (atomic (fork 1 f))"#,
        expect![[r#"
            a.braid:1:21: error: `call` cannot stand inside `atomic`
              (var x Int) (atomic (call () f)) (atomic (label l)) (atomic (while true)) (atomic (return)) (atomic…
                                  ^^^^^^^^^^^
            hint: `atomic` takes statements without loops, threads, calls or jumps
            a.braid:1:42: error: `label` cannot stand inside `atomic`
              …var x Int) (atomic (call () f)) (atomic (label l)) (atomic (while true)) (atomic (return)) (atomic (…
                                                       ^^^^^^^^^
            hint: `atomic` takes statements without loops, threads, calls or jumps
            a.braid:1:61: error: `while` cannot stand inside `atomic`
              …(call () f)) (atomic (label l)) (atomic (while true)) (atomic (return)) (atomic (fork 1 f))
                                                       ^^^^^^^^^^^^
            hint: `atomic` takes statements without loops, threads, calls or jumps
            a.braid:1:83: error: `return` cannot stand inside `atomic`
              …label l)) (atomic (while true)) (atomic (return)) (atomic (fork 1 f))
                                                       ^^^^^^^^
            hint: `atomic` takes statements without loops, threads, calls or jumps
            a.braid:1:101: error: `fork` cannot stand inside `atomic`
              …(while true)) (atomic (return)) (atomic (fork 1 f))
                                                       ^^^^^^^^^^
            hint: `atomic` takes statements without loops, threads, calls or jumps
        "#]],
    );
    braid(
        r#"(seq) (proc f () ())"#,
        expect![[r#"
        a.braid:1:8: error: the declaration `proc` stands after a statement
          (seq) (proc f () ())
                 ^^^^
        hint: all declarations come first
    "#]],
    );
    braid(
        r#"(var v (_ BitVec 8)) (var w (_ BitVec 4))
(set! v (bvadd v w))
(set! v (bvadd v))
(set! v 1)
(set! v #x01)
(assume ((_ extract 8 0) v))
(set! v ((_ extract 8 0) v))
(set! v ((_ rotate 1) v))
(set! v ((_ zero_extend 100000) v))
(set! v (_ bv1))
(set! v (_ bv1 0))
(set! v (bvugt v w))
(set! v (div v 2))"#,
        expect![[r#"
            a.braid:2:18: error: this should be of type (_ BitVec 8), but it is of type (_ BitVec 4)
              (set! v (bvadd v w))
                               ^
            a.braid:3:10: error: `bvadd` takes two operands, but there is 1
              (set! v (bvadd v))
                       ^^^^^
            a.braid:4:9: error: `v` is of type (_ BitVec 8), but this is of type Int
              (set! v 1)
                      ^
            hint: as a bit-vector it is written `(_ bv1 8)`
            a.braid:5:9: error: `v` is of type (_ BitVec 8), but this is of type Int
              (set! v #x01)
                      ^^^^
            hint: as a bit-vector it is written `(_ bv1 8)`
            a.braid:6:26: error: there are only 8 bits to take from
              (assume ((_ extract 8 0) v))
                                       ^
            a.braid:7:26: error: there are only 8 bits to take from
              (set! v ((_ extract 8 0) v))
                                       ^
            a.braid:8:10: error: there is no operator `rotate` with 1 number
              (set! v ((_ rotate 1) v))
                       ^^^^^^^^^^^^
            hint: there are `(_ extract i j)`, `(_ zero_extend n)`, `(_ sign_extend n)` and `(_ int_to_bv n)`
            a.braid:9:25: error: this should be a number of at most 65536
              (set! v ((_ zero_extend 100000) v))
                                      ^^^^^^
            a.braid:10:9: error: this is not a value
              (set! v (_ bv1))
                      ^^^^^^^
            hint: a bit-vector is written `(_ bv5 8)`: value 5, 8 bits
            a.braid:11:16: error: a bit-vector has at least one bit
              (set! v (_ bv1 0))
                             ^
            a.braid:12:16: error: this should be of type (_ BitVec 4), but it is of type (_ BitVec 8)
              (set! v (bvugt v w))
                             ^
            a.braid:13:14: error: this should be of type Int, but it is of type (_ BitVec 8)
              (set! v (div v 2))
                           ^
        "#]],
    );
    braid(
        r#"(var a (Array Int Int))
(set! a ((as const Int) 0))
(set! a ((as const (Array Int Int)) true))
(set! a ((as const (Array Int Int))))
(assume (= (/ 1 2) 0))"#,
        expect![[r#"
            a.braid:2:20: error: this should be an array sort, but it is Int
              (set! a ((as const Int) 0))
                                 ^^^
            a.braid:3:37: error: this should be of type Int, but it is of type Bool
              (set! a ((as const (Array Int Int)) true))
                                                  ^^^^
            a.braid:4:9: error: a constant array takes one element
              (set! a ((as const (Array Int Int))))
                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            hint: write `((as const (Array Int Int)) 0)`
            a.braid:5:12: error: integer division is not part of the language
              (assume (= (/ 1 2) 0))
                         ^^^^^^^
            hint: write `(div a b)`; the remainder is `(mod a b)`
        "#]],
    );
    braid(
        r#"(var v (_ BitVec 65536))
(assume (= v (concat v v)))
(assume (= v ((_ zero_extend 65536) v)))"#,
        expect![[r#"
            a.braid:2:14: error: this bit-vector is wider than 65536 bits
              (assume (= v (concat v v)))
                           ^^^^^^^^^^^^
            a.braid:3:14: error: this bit-vector is wider than 65536 bits
              (assume (= v ((_ zero_extend 65536) v)))
                           ^^^^^^^^^^^^^^^^^^^^^^^^^
        "#]],
    );
    braid(
        r#"(var x (_ BitVec 0)) (var y (_ BitVec 70000)) (var z (_ BitVec x))"#,
        expect![[r#"
        a.braid:1:18: error: a bit-vector has at least one bit
          (var x (_ BitVec 0)) (var y (_ BitVec 70000)) (var z (_ BitVec x))
                           ^
        a.braid:1:39: error: this should be a number of at most 65536
          (var x (_ BitVec 0)) (var y (_ BitVec 70000)) (var z (_ BitVec x))
                                                ^^^^^
        a.braid:1:64: error: this should be a number of at most 65536
          (var x (_ BitVec 0)) (var y (_ BitVec 70000)) (var z (_ BitVec x))
                                                                         ^
    "#]],
    );
}
