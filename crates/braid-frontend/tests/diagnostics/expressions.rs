//! Wrong expressions: names, types, arities, words of other languages.

use crate::{statements, weaver};
use expect_test::expect;

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
            a.wvr:13:10: error: `forall` is not part of Weaver's language
              (assume (forall ((z Int)) b))
                       ^^^^^^
            hint: files named `.braid` may use it
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
