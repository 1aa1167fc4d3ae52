//! Statements: assignments, control flow, threads and tasks.

use crate::{check, check_body};
use expect_test::expect;

#[test]
fn assignments() {
    check_body(
        "x, y := y, x; m[x] := 1; m[x], y := m[y], m[x]; havoc x, g;",
        expect![[r#"
        (var g h Int)
        (var b Bool)
        (var m (Array Int Int))
        (var c Int)

        (proc p ((n Int)) ((r Int))
            (atomic))

        (proc main () ()
            (declare (x Int)
                (declare (y Int)
                    (set! (x y) (y x))
                    (store! m x 1)
                    (set! (m y) ((store m x (select m y)) (select m x)))
                    (havoc! x g))))
    "#]],
    );
}

#[test]
fn operators_bind_as_they_should() {
    check_body(
        "assume x + y * 2 - 1 < 3 && !b ==> x == 0 || b <==> g mod 2 == 1;
assume b ==> b ==> b; assume b <== b; assume x - y - 1 == -x; assume (if b then x else y) div 2 >= f(c);",
        expect![[r#"
            (var g h Int)
            (var b Bool)
            (var m (Array Int Int))
            (var c Int)
            (var f (Int) Int)

            (proc p ((n Int)) ((r Int))
                (atomic))

            (proc main () ()
                (declare (x Int)
                    (declare (y Int)
                        (assume (= (=> (and (< (- (+ x (* y 2)) 1) 3) (not b)) (or (= x 0) b)) (= (mod g 2) 1)))
                        (assume (=> b (=> b b)))
                        (assume (=> b b))
                        (assume (= (- x y 1) (- x)))
                        (assume (>= (div (ite b x y) 2) (f c))))))
        "#]],
    );
}

#[test]
fn control_flow() {
    check_body(
        "if (*) { x := 1; } else if (b) { x := 2; }
while (x < 3) invariant x <= 3; { x := x + 1; if (b) { break; } }
while (*) { goto out; }
out: return;",
        expect![[r#"
            (var g h Int)
            (var b Bool)
            (var m (Array Int Int))
            (var c Int)

            (proc p ((n Int)) ((r Int))
                (atomic))

            (proc main () ()
                (declare (x Int)
                    (declare (y Int)
                        (cond
                            (seq
                                (set! x 1))
                            (seq
                                (if b
                                    (seq
                                        (set! x 2))
                                    (seq))))
                        (assert (<= x 3))
                        (while (< x 3)
                            (seq
                                (set! x (+ x 1))
                                (if b
                                    (seq
                                        (goto l0))
                                    (seq)))
                            (assert (<= x 3)))
                        (label l0)
                        (loop
                            (goto l1))
                        (label l1)
                        (return))))
        "#]],
    );
}

#[test]
fn labelled_statements_can_be_left() {
    check_body(
        "a: while (b) { while (*) { break a; } } c: if (b) { break c; }",
        expect![[r#"
        (var g h Int)
        (var b Bool)
        (var m (Array Int Int))
        (var c Int)

        (proc p ((n Int)) ((r Int))
            (atomic))

        (proc main () ()
            (declare (x Int)
                (declare (y Int)
                    (label l0)
                    (while b
                        (loop
                            (goto l1)))
                    (label l1)
                    (label l2)
                    (if b
                        (seq
                            (goto l3))
                        (seq))
                    (label l3))))
    "#]],
    );
}

#[test]
fn calls_of_procedures_without_a_body_are_one_step() {
    check_body(
        "call x := p(y);",
        expect![[r#"
        (var g h Int)
        (var b Bool)
        (var m (Array Int Int))
        (var c Int)

        (proc p ((n Int)) ((r Int))
            (atomic))

        (proc main () ()
            (declare (x Int)
                (declare (y Int)
                    (atomic (call (x) p y)))))
    "#]],
    );
}

#[test]
fn forks_of_one_kind_keep_their_numbers() {
    check(
        "procedure main() { var i, x: int; fork i p(1); fork 7 p(2); join i + 1 assign x; }
        procedure p(n: int) returns (r: int) { r := n; }",
        expect![[r#"
            (proc p ((n Int)) ((r Int))
                (set! r n))

            (proc main () ()
                (declare (i Int)
                    (declare (x Int)
                        (fork i p 1)
                        (fork 7 p 2)
                        (join (x) (+ i 1)))))
        "#]],
    );
}

#[test]
fn lists_of_values_are_numbered() {
    check(
        "procedure main() { var i: int; var b: bool; fork 1 p(); fork i, 4 p(); fork i, 5 p(); fork b p(); join 1; join 1, 4; }
        procedure p() { }",
        expect![[r#"
            (proc p () ())

            (proc main () ()
                (declare (i Int)
                    (declare (b Bool)
                        (fork 0 p)
                        (fork (+ (* 6 i) 1) p)
                        (fork (+ (* 6 i) 4) p)
                        (fork (+ (* 3 (ite b 1 0)) 2) p)
                        (join () 0)
                        (join () 7))))
        "#]],
    );
}

#[test]
fn atomic_blocks() {
    check_body(
        "atomic { x := 1; atomic { y := 2; } } call __VERIFIER_atomic_begin(); g := 1; call __VERIFIER_atomic_end();",
        expect![[r#"
            (var g h Int)
            (var b Bool)
            (var m (Array Int Int))
            (var c Int)

            (proc p ((n Int)) ((r Int))
                (atomic))

            (proc main () ()
                (declare (x Int)
                    (declare (y Int)
                        (atomic (set! x 1) (atomic (set! y 2)))
                        (atomic (set! g 1)))))
        "#]],
    );
}

#[test]
fn tasks_take_turns() {
    check(
        "type task a; var g: int;
        procedure main() modifies g; { var t: task int; var x: int;
            call {:async t} x := p(3); assume {:yield} true; assume {:wait x, t} true; assume {:wait g, t} true; }
        procedure p(n: int) returns (r: int) { return; }",
        expect![[r#"
            (var g Int)
            (var |task running| Bool)

            (proc p ((n Int)) ((r Int))
                (return))

            (proc |p (task)| ((n Int)) ((r Int))
                (atomic (assume (not |task running|)) (set! |task running| true))
                (call (r) p n)
                (set! |task running| false))

            (proc main () ()
                (declare (t Int)
                    (declare (x Int)
                        (declare (|g (awaited)| Int)
                            (set! |task running| false)
                            (atomic (assume (not |task running|)) (set! |task running| true))
                            (async t |p (task)| 3)
                            (set! |task running| false)
                            (atomic (assume (not |task running|)) (set! |task running| true))
                            (set! |task running| false)
                            (wait (x) t)
                            (atomic (assume (not |task running|)) (set! |task running| true))
                            (set! |task running| false)
                            (wait (|g (awaited)|) t)
                            (atomic (assume (not |task running|)) (set! |task running| true))
                            (set! g |g (awaited)|)
                            (label l0)
                            (set! |task running| false)))))
        "#]],
    );
}
