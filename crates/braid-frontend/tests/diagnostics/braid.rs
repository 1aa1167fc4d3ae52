//! What can be wrong only in `.braid` files.

use crate::braid;
use expect_test::expect;

#[test]
fn labels() {
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
}

#[test]
fn procedures() {
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
}

#[test]
fn calls_and_threads() {
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
}

#[test]
fn declarations() {
    braid(
        r#"(claim nothing)
(seq)"#,
        expect![[r#"
            a.braid:1:1: error: this is not a claim that can be made
              (claim nothing)
              ^^^^^^^^^^^^^^^
            hint: write `(claim assertions)`, `(claim no-deadlock)`, `(claim progress)` or `(claim no-complete-execution)`
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
        r#"(seq) (proc f () ())"#,
        expect![[r#"
        a.braid:1:8: error: the declaration `proc` stands after a statement
          (seq) (proc f () ())
                 ^^^^
        hint: all declarations come first
    "#]],
    );
}

#[test]
fn assertions_assignments_and_atomic() {
    braid(
        r#"(assert 1)"#,
        expect![[r#"
        a.braid:1:9: error: this should be of type Bool, but it is of type Int
          (assert 1)
                  ^
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
        r#"(var x Int) 
(atomic (label l))
(atomic (goto l))
(atomic (while true))
(atomic (par))
(atomic (fork 1 f))"#,
        expect![[r#"
            a.braid:5:9: error: `par` cannot stand inside `atomic`
              (atomic (par))
                      ^^^^^
            hint: its branches could not run one by one; `fork` starts a thread here
            a.braid:6:17: error: there is no procedure `f`
              (atomic (fork 1 f))
                              ^
            hint: declare it: `(proc f () () …)`
        "#]],
    );
}

#[test]
fn bit_vectors_and_arrays() {
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

#[test]
fn identities() {
    braid(
        "(var x Int) (proc p ((me Int)) () (identity me)) (seq)",
        expect![[r#"
            a.braid:1:45: error: `me` is declared twice
              (var x Int) (proc p ((me Int)) () (identity me)) (seq)
                                                          ^^
            hint: the first declaration is at 1:23
        "#]],
    );
    braid(
        "(proc p () () (identity me) (set! me 1)) (call () p)",
        expect![[r#"
            a.braid:1:35: error: `me` is the identity of the thread and never changes
              (proc p () () (identity me) (set! me 1)) (call () p)
                                                ^^
        "#]],
    );
    braid(
        "(proc p () () (identity) (seq)) (call () p)",
        expect![[r#"
            a.braid:1:15: error: `identity` takes one name
              (proc p () () (identity) (seq)) (call () p)
                            ^^^^^^^^^^
            hint: write `(identity me)`
        "#]],
    );
}
