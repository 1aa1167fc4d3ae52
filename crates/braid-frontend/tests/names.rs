//! Printing keeps apart what has one name: a program is read, a variable is renamed in the tree, and the tree printed.

use braid_frontend::{Language, parse};
use braid_program::print::to_text;
use expect_test::{Expect, expect};

/// Prints the program with all variables and functions called `x`.
fn check(text: &str, expected: Expect) {
    let mut program = parse("a.braid", text, Language::Braid).unwrap_or_else(|error| panic!("{error}"));
    program.variables.iter_mut().for_each(|variable| variable.name = "x".into());
    program.functions.iter_mut().for_each(|function| function.name = "x".into());
    let printed = to_text(&program);
    parse("b.braid", &printed, Language::Braid).unwrap_or_else(|error| panic!("{printed}\n{error}"));
    expected.assert_eq(&printed);
}

#[test]
fn global_names_differ() {
    check(
        "(var a b Int) (var f (Int) Int) (assume (= a (f b)))",
        expect![[r#"
        (var x_1 x_2 Int)
        (var x (Int) Int)

        (assume (= x_1 (x x_2)))
    "#]],
    );
}

#[test]
fn inner_names_differ_from_outer_ones_that_are_used_inside() {
    check(
        "(var a Int) (seq (declare (b Int) (set! b a)) (declare (c Int) (set! c 1)))",
        expect![[r#"
        (var x Int)

        (seq
            (declare (x_1 Int)
                (set! x_1 x))
            (declare (x Int)
                (set! x 1)))
    "#]],
    );
    check(
        "(seq (declare (a Int) (declare (b Int) (set! b a))) (declare (c Int) (declare (d Int) (set! d 1))))",
        expect![[r#"
            (seq
                (declare (x Int)
                    (declare (x_1 Int)
                        (set! x_1 x)))
                (declare (x Int)
                    (declare (x Int)
                        (set! x 1))))
        "#]],
    );
}

#[test]
fn top_level_declarations_of_one_sort_differ() {
    check(
        "(declare (a Int) (set! a 1)) (declare (b Int) (set! b 2)) (declare (c Bool) (assume c))",
        expect![[r#"
        (declare (x Int)
            (set! x 1))
        (declare (x_1 Int)
            (set! x_1 2))
        (declare (x Bool)
            (assume x))
    "#]],
    );
}

#[test]
fn parameters_and_results_differ() {
    check(
        "(var g Int) (proc f ((p Int)) ((r Int)) (set! r (+ p g))) (call (g) f g)",
        expect![[r#"
        (var x Int)

        (proc f ((x_1 Int)) ((x_2 Int))
            (set! x_2 (+ x_1 x)))

        (call (x) f x)
    "#]],
    );
}
