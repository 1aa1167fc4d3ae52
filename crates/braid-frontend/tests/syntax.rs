//! What is accepted, as it prints.

use braid_frontend::{Language, parse};
use braid_program::print::to_text;
use expect_test::{Expect, expect};

fn check(text: &str, language: Language, expected: Expect) {
    let program = parse(&format!("a.{}", language.extension()), text, language);
    expected.assert_eq(&to_text(&program.unwrap_or_else(|error| panic!("{error}"))));
}

/// Statements over a few variables and functions, as they print; without the declarations.
fn printed(text: &str) -> String {
    let declarations = "(var x y Int) (var b Bool) (var a (Array Int Int)) (var f (Int) Int) (var p (Int Bool) Bool)";
    let program = parse("a.wvr", &format!("{declarations}\n{text}"), Language::Weaver);
    let printed = to_text(&program.unwrap_or_else(|error| panic!("{error}")));
    let (_, statements) = printed.split_once("\n\n").expect("there are declarations and statements");
    statements.to_owned()
}

fn statements(text: &str, expected: Expect) {
    expected.assert_eq(&printed(text));
}

fn weaver(text: &str, expected: Expect) {
    check(text, Language::Weaver, expected);
}

fn braid(text: &str, expected: Expect) {
    check(text, Language::Braid, expected);
}

#[test]
fn statements_of_weaver() {
    statements(
        r#"(seq) (cond) (par) (loop) (while b) (atomic)(assume(= x 1)) ; no line break at the end"#,
        expect![[r#"
            (seq)
            (cond)
            (par)
            (loop)
            (while b)
            (atomic)
            (assume (= x 1))
        "#]],
    );
    statements(
        r#"(if b (set! x 1)) (if b (set! x 1) (seq (set! x 2) (set! y 1)))"#,
        expect![[r#"
            (if b (set! x 1))
            (if b
                (set! x 1)
                (seq
                    (set! x 2)
                    (set! y 1)))
        "#]],
    );
    statements(
        r#"(while (< x 3) (set! x (+ x 1))) (loop (par (set! x 1) (set! y 2))) (cond (set! x 1) (seq))"#,
        expect![[r#"
            (while (< x 3)
                (set! x (+ x 1)))
            (loop
                (par
                    (set! x 1)
                    (set! y 2)))
            (cond
                (set! x 1)
                (seq))
        "#]],
    );
    statements(
        r#"(store! a x 1) (set! a (store a x 1)) (atomic (assume b) (atomic (set! x 1)) (store! a 0 x)) (havoc! x)
(havoc! x b a)"#,
        expect![[r#"
            (store! a x 1)
            (store! a x 1)
            (atomic (assume b) (atomic (set! x 1)) (store! a 0 x))
            (havoc! x)
            (havoc! x b a)
        "#]],
    );
    weaver(
        r#"(var |a b| |5| |x| true Int) (set! x |a b|) (set! |5| 1)"#,
        expect![[r#"
        (var |a b| |5| x true_1 Int)

        (set! x |a b|)
        (set! |5| 1)
    "#]],
    );
}

#[test]
fn declarations() {
    weaver(
        r#"(var x Int) (var c () Bool) (var t u (Array Int (Array Bool Int))) (var g h (Bool (Array Bool Int)) Bool)
(use (= x 0)) (var y Int) (use c)
(assume (g c (store (select t 0) c 1)))"#,
        expect![[r#"
            (var x Int)
            (var c Bool)
            (var t u (Array Int (Array Bool Int)))
            (var y Int)
            (var g h (Bool (Array Bool Int)) Bool)
            (use
                (= x 0)
                c)

            (assume (g c (store (select t 0) c 1)))
        "#]],
    );
}

#[test]
fn expressions_that_print_as_they_are() {
    let text = "\
(assume (and))
(assume (or))
(assume (=>))
(assume (= (+) (-) (*)))
(assume (and b))
(assume (=> b b b))
(assume (= (- x) (- x y 1) (+ x) (* x y 2)))
(assume (= x))
(assume (/= x))
(assume (/= x y 1))
(assume (= b (< x y)))
(assume (ite b true false))
(assume (p 1 b))
(assume (= a (store a x (select a y))))
";
    assert_eq!(printed(text), text);
}

#[test]
fn expressions_with_other_forms() {
    statements(
        r#"(assume (if b b (not b)))
(assume (= (f (x)) #xfF #b101 007))
(assume (= 123456789012345678901234567890 #xffffffffffffffffffffff))"#,
        expect![[r#"
            (assume (ite b b (not b)))
            (assume (= (f x) 255 5 7))
            (assume (= 123456789012345678901234567890 309485009821345068724781055))
        "#]],
    );
}

#[test]
fn operator_words_come_first_at_their_arities() {
    weaver(
        r#"(var not (Int Int) Bool) (var and Int) (var < (Int) Int) (var div mod (Int Int) Int)
(assume (and (not 1 2) (= and (< and)) (= (div 1 2) (mod 1 2))))"#,
        expect![[r#"
            (var and Int)
            (var not (Int Int) Bool)
            (var < (Int) Int)
            (var div mod (Int Int) Int)

            (assume (and (not 1 2) (= and (< and)) (= (div 1 2) (mod 1 2))))
        "#]],
    );
}

#[test]
fn declare_has_a_scope_and_copies_are_apart() {
    weaver(
        r#"(var x Int) (declare (x Bool) (assume x) (declare (x Int) (set! x 1))) (set! x 2)"#,
        expect![[r#"
        (var x Int)

        (declare (x Bool)
            (assume x)
            (declare (x Int)
                (set! x 1)))
        (set! x 2)
    "#]],
    );
    weaver(
        r#"(var x Int) (par (declare (x Int) (set! x 1)) (set! x 2))"#,
        expect![[r#"
        (var x Int)

        (par
            (declare (x Int)
                (set! x 1))
            (set! x 2))
    "#]],
    );
    weaver(
        r#"(replicate 2 (declare (x Int) (set! x 1)) (seq)) (replicate 0 (seq)) (replicate 1)"#,
        expect![[r#"
        (par
            (seq
                (declare (x Int)
                    (set! x 1))
                (seq))
            (seq
                (declare (x Int)
                    (set! x 1))
                (seq)))
        (par)
        (par
            (seq))
    "#]],
    );
    weaver(
        r#"(var f (Int) Int) (declare (f Int) (set! f 1)) (assume (= (f 1) 2))"#,
        expect![[r#"
        (var f (Int) Int)

        (declare (f Int)
            (set! f 1))
        (assume (= (f 1) 2))
    "#]],
    );
}

#[test]
fn a_top_level_declare_is_the_top_level_variable() {
    weaver(
        r#"(var x Int) (declare (x Int) (set! x 1)) (assume (= x 2))"#,
        expect![[r#"
        (var x Int)

        (seq
            (set! x 1))
        (assume (= x 2))
    "#]],
    );
    weaver(
        r#"(declare (x Int) (set! x 1)) (declare (x Int) (assume (= x 2))) (declare (x Bool) (assume x))"#,
        expect![[r#"
            (var x Int)

            (seq
                (set! x 1))
            (seq
                (assume (= x 2)))
            (declare (x Bool)
                (assume x))
        "#]],
    );
}

#[test]
fn braid_statements() {
    braid(
        r#"(var x y Int) (var b Bool)
(proc even ((n Int)) ((r Bool)) (if (= n 0) (seq (set! r true) (return))) (call (r) odd (- n 1)))
(proc odd ((n Int)) ((r Bool)) (set! r false) (if (/= n 0) (call (r) even (- n 1))))
(call (b) even 4) (assert b) (fork 1 odd 3) (join (b) 1) (async x even 2) (async _ even 2) (wait (b) x)
(wait () x) (set! (x y) (y x)) (set! () ()) (return)"#,
        expect![[r#"
            (var x y Int)
            (var b Bool)

            (proc even ((n Int)) ((r Bool))
                (if (= n 0)
                    (seq
                        (set! r true)
                        (return)))
                (call (r) odd (- n 1)))

            (proc odd ((n Int)) ((r Bool))
                (set! r false)
                (if (/= n 0) (call (r) even (- n 1))))

            (call (b) even 4)
            (assert b)
            (fork 1 odd 3)
            (join (b) 1)
            (async x even 2)
            (async _ even 2)
            (wait (b) x)
            (wait () x)
            (set! (x y) (y x))
            (set! () ())
            (return)
        "#]],
    );
    braid(
        r#"(claim no-complete-execution) (var x Int) (assume (= x 0)) (label again) (set! x (+ x 1))
(if (< x 3) (goto again end)) (par (seq (label again) (goto again)) (loop (label end)))
(replicate 2 (label more) (goto more)) (label end)"#,
        expect![[r#"
            (claim no-complete-execution)
            (var x Int)

            (assume (= x 0))
            (label l0)
            (set! x (+ x 1))
            (if (< x 3) (goto l0 l1))
            (par
                (seq
                    (label l2)
                    (goto l2))
                (loop
                    (label l3)))
            (par
                (seq
                    (label l4)
                    (goto l4))
                (seq
                    (label l5)
                    (goto l5)))
            (label l1)
        "#]],
    );
    braid(
        r#"(claim assertions) (var x Int)
(atomic (if (= x 0) (seq (set! x 1) (set! x 2)) (cond (assert false) (declare (y Int) (havoc! y) (set! x y)))))"#,
        expect![[r#"
            (var x Int)

            (atomic
                (if (= x 0)
                    (seq
                        (set! x 1)
                        (set! x 2))
                    (cond
                        (assert false)
                        (declare (y Int)
                            (havoc! y)
                            (set! x y)))))
        "#]],
    );
    braid(
        r#"(var x Int) (proc main () () (declare (y Int) (set! y x)) (call () main) (assert (= x 0)))"#,
        expect![[r#"
            (var x Int)

            (proc main () ()
                (declare (y Int)
                    (set! y x))
                (call () main)
                (assert (= x 0)))
        "#]],
    );
    braid(
        r#"(var x Int) (proc main () () (call () main) (assert (= x 0)))"#,
        expect![[r#"
        (var x Int)

        (proc main () ()
            (call () main)
            (assert (= x 0)))
    "#]],
    );
    braid(
        r#"(var x Int) (proc main () () (assert (= x 0)))"#,
        expect![[r#"
        (var x Int)

        (assert (= x 0))
    "#]],
    );
    braid(
        r#"(var x Int) (proc f ((x Int)) ((y Int)) (declare (y Int) (set! y x)) (return))
(declare (r Int) (call (r) f x))"#,
        expect![[r#"
            (var x Int)

            (proc f ((x Int)) ((y Int))
                (declare (y Int)
                    (set! y x))
                (return))

            (declare (r Int)
                (call (r) f x))
        "#]],
    );
}

#[test]
fn braid_expressions() {
    braid(
        r#"(sort Node) (var n m Node) (var next (Node) Node) (var v w (_ BitVec 8)) (var heap (Array Node (_ BitVec 8)))
(assume (= n (next m))) (set! heap ((as const (Array Node (_ BitVec 8))) (_ bv255 8)))
(set! v (bvadd v (_ bv1 8)))
(assume (bvult v w)) (assume (bvsgt v w)) (set! v (bvsub v w)) (set! v ((_ extract 7 0) (concat v w)))
(assume (= (ubv_to_int v) (div 7 2) (mod 7 (- 2)) (bv2nat w)))
(set! w ((_ int_to_bv 8) 300)) (set! v ((_ extract 8 1) ((_ zero_extend 4) w))) (set! w (_ bv300 8))
(assume (= v (bvneg (bvnot (bvor v w)))))
(assume ((_ float.lt 4 4) v ((_ float.convert 11 53 4 4) ((_ float.from_signed 11 53 8) w))))"#,
        expect![[r#"
            (sort Node)
            (var n m Node)
            (var v w (_ BitVec 8))
            (var heap (Array Node (_ BitVec 8)))
            (var next (Node) Node)

            (assume (= n (next m)))
            (set! heap ((as const (Array Node (_ BitVec 8))) (_ bv255 8)))
            (set! v (bvadd v (_ bv1 8)))
            (assume (bvult v w))
            (assume (bvslt w v))
            (set! v (bvadd v (bvneg w)))
            (set! v ((_ extract 7 0) (concat v w)))
            (assume (= (ubv_to_int v) (div 7 2) (mod 7 (- 2)) (ubv_to_int w)))
            (set! w ((_ int_to_bv 8) 300))
            (set! v ((_ extract 8 1) ((_ zero_extend 4) w)))
            (set! w (_ bv44 8))
            (assume (= v (bvneg (bvnot (bvor v w)))))
            (assume ((_ float.lt 4 4) v ((_ float.convert 11 53 4 4) ((_ float.from_signed 11 53 8) w))))
        "#]],
    );
    braid(
        r#"(var div (Int Int) Int) (assume (= (div 1 2) (mod 1 2)))"#,
        expect![[r#"
        (var div (Int Int) Int)

        (assume (= (div 1 2) (mod 1 2)))
    "#]],
    );
}
