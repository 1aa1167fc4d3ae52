//! Programs whose verdict is known.

use crate::parametric;
use braid_engines::Verdict;
use braid_frontend::{Language, parse};

fn is_safe(text: &str) -> bool {
    let program = parse("test", text, Language::Braid).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    matches!(parametric(&program), Verdict::Safe(_))
}

#[test]
fn a_counter_under_a_lock() {
    let worker = |check: &str| {
        format!(
            "(var m Bool) (var x Int)
            (proc t () () (declare (l Int)
                (atomic (assume (not m)) (set! m true))
                (set! l x) (set! x (+ l 1)) (assert {check}) (set! x (- x 1))
                (set! m false)))
            (set! m false) (set! x 0) (loop (async _ t))"
        )
    };
    assert!(is_safe(&worker("(= x 1)")));
    assert!(!is_safe(&worker("(= x 2)")));
}

/// Ghost variables are nobody else's, whatever the program's own are called.
#[test]
fn ghosts_have_names_of_their_own() {
    let names = (0..8).map(|place| format!("|#t@{place}| |#main@{place}|")).collect::<Vec<_>>().join(" ");
    let program = |bound: &str| {
        format!(
            "(var c {names} |#given| Int) (proc t () () (loop (set! c (+ c 1)) (assert (> c {bound})) (set! c (- c 1))))
            (set! c 0) (loop (async _ t))"
        )
    };
    assert!(is_safe(&program("0")));
    assert!(!is_safe(&program("1")));
}

/// The least number of 64 bits has no opposite.
#[test]
fn the_ends_of_types_are_bounds() {
    let end = "(- 0 9223372036854775808)";
    let program = format!(
        "(var x Int)
        (proc t () () (atomic (assume (> x {end})) (set! x (- x 1))) (assert (>= x {end})))
        (set! x 0) (loop (async _ t))"
    );
    assert!(is_safe(&program));
}

#[test]
fn arguments_of_different_threads_differ() {
    let program = |argument: &str| {
        format!(
            "(var a (Array Int Int)) (var n Int)
            (proc t ((i Int)) () (store! a i 1) (assert (= (select a i) 1)) (store! a i 2))
            (set! n 0) (loop (async _ t {argument}) (set! n (+ n 1)))"
        )
    };
    assert!(is_safe(&program("n")));
    assert!(!is_safe(&program("0")));
}

#[test]
fn instances_are_counted() {
    let program = |bound: &str| {
        format!(
            "(var c Int) (proc t () () (loop (set! c (+ c 1)) (assert (> c {bound})) (set! c (- c 1))))
            (set! c 0) (loop (async _ t))"
        )
    };
    assert!(is_safe(&program("0")));
    assert!(!is_safe(&program("1")));
}

#[test]
fn numbers_of_threads_are_their_own() {
    let program = |number: &str| {
        format!(
            "(var a (Array Int Int))
            (proc t () () (identity self) (store! a {number} 1) (assert (= (select a {number}) 1)) (store! a {number} 2))
            (loop (async _ t))"
        )
    };
    assert!(is_safe(&program("self")));
    assert!(!is_safe(&program("0")));
}

/// The first thread waits for all that it has started before it looks.
#[test]
fn who_was_joined_is_gone() {
    let program = |waits: &str| {
        format!(
            "(var busy Bool) (var h i Int)
            (proc t () () (set! busy true) (set! busy false))
            (set! i 0) (set! busy false)
            (loop (async h t) {waits})
            (assert (not busy))"
        )
    };
    assert!(is_safe(&program("(wait () h)")));
    assert!(!is_safe(&program("")));
}

/// Threads that are started by threads of which there are many are many themselves.
#[test]
fn many_start_many() {
    let program = |first: &str| {
        format!(
            "(var x Int)
            (proc u ((b Int)) () (assert (>= b {first})))
            (proc t ((a Int)) () (async _ u (+ a 1)))
            (set! x 0) (loop (async _ t x) (set! x (+ x 1)))"
        )
    };
    assert!(is_safe(&program("1")));
    assert!(!is_safe(&program("2")));
}

/// Copies of variables get names of their own: a global variable that is called like a copy is another one.
#[test]
fn copies_are_nobody_elses_variables() {
    let program = |name: &str| {
        format!(
            "(var x {name} Int)
            (proc t () () (declare (l Int) (set! l x) (set! x (+ l 1)) (assert (= x (+ l 1)))))
            (set! x 0) (set! {name} 0) (loop (async _ t) (assume (= {name} 0)))"
        )
    };
    ["t.l@1", "t.l@2", "g"].into_iter().for_each(|name| assert!(!is_safe(&program(name)), "{name}"));
}

/// The first thread waits for the last but one before it goes on, so there are two at a time; a solver for Horn clauses finds out what they add.
#[test]
fn horn_clauses_find_what_guesses_do_not() {
    let program = |bound: &str| {
        format!(
            "(var c i Int)
            (proc t () () (set! c (+ c i)) (assert (<= c {bound})) (set! c (- c i)))
            (set! c 0) (set! i 0)
            (loop (fork i t) (if (> i 0) (join () (- i 1)) (seq)) (set! i (+ i 1)))"
        )
    };
    assert!(is_safe(&program("(* 2 i)")));
    assert!(!is_safe(&program("i")));
}

/// Who has drawn a number waits until it is called.
#[test]
fn tickets_are_served_in_turn() {
    let program = |step: &str| {
        format!(
            "(var next served c Int)
            (proc t () () (declare (l Int)
                (atomic (set! l next) (set! next (+ next {step})))
                (atomic (assume (= l served)))
                (set! c 1) (assert (= c 1)) (set! c 0)
                (set! served (+ served 1))))
            (set! next 0) (set! served 0) (set! c 0) (loop (async _ t))"
        )
    };
    assert!(is_safe(&program("1")));
    assert!(!is_safe(&program("0")));
}

/// Each thread takes three cells that nobody else has.
#[test]
fn what_is_shared_out_is_apart() {
    let program = |taken: &str| {
        format!(
            "(var next size Int) (var a (Array Int Int))
            (proc t () () (declare (i Int) (declare (end Int)
                (set! i 0) (set! end 0)
                (atomic (if (<= (+ next 3) size) (seq (set! i next) (set! end (+ next 3)) (set! next (+ next {taken}))) (seq)))
                (while (< i end) (store! a i 0) (store! a i 1) (assert (= (select a i) 1)) (set! i (+ i 1))))))
            (set! next 0) (assume (> size 0)) (loop (async _ t))"
        )
    };
    assert!(is_safe(&program("3")));
    assert!(!is_safe(&program("0")));
}
