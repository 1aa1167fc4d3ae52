//! Small programs as text, each with the verdict of `explicit`; and how it stops when told to.

use braid_engines::explicit::Explicit;
use braid_engines::{Control, Engine, Outcome, Reason, StopReason, Task, Verdict};
use braid_frontend::Language;
use braid_program::LowerOptions;
use braid_testkit::{lowered, parsed};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

fn verify(language: Language, text: &str, engine: &Explicit, fuse: bool, control: &Control) -> Outcome {
    let options = LowerOptions { fuse, ..LowerOptions::default() };
    lowered(&parsed(text, language), options, |automata| engine.verify(&Task::new(automata), control))
}

fn shown(outcome: &Outcome) -> String {
    match &outcome.verdict {
        Verdict::Safe(_) => "safe".into(),
        Verdict::Unsafe(_) => "unsafe".into(),
        Verdict::Unknown(reason) => format!("unknown ({reason})"),
    }
}

/// Checks the verdict of a `.braid` program, fused and not.
fn check_with(engine: &Explicit, text: &str, expected: &str) {
    for fuse in [true, false] {
        let outcome = verify(Language::Braid, text, engine, fuse, &Control::new());
        assert_eq!(shown(&outcome), expected, "fuse {fuse}\n{text}");
    }
}

fn check(text: &str, expected: &str) {
    check_with(&Explicit::default(), text, expected);
}

fn check_inputs(text: &str, expected: &str) {
    check_with(&Explicit { inputs: Some(0..=3), ..Explicit::default() }, text, expected);
}

#[test]
fn assertions() {
    check("(assert true)", "safe");
    check("(assert false)", "unsafe");
    check("(var x Int) (set! x 1) (assert (= x 1))", "safe");
    check("(var x Int) (set! x 1) (assert (= x 2))", "unsafe");
    check("(var b Bool) (assert b)", "unsafe");
    check("(var b c Bool) (assume (= b c)) (assert (= b c))", "safe");
    check("(assume false) (assert false)", "safe");
    check("(var x Int) (set! x 0) (par (set! x (+ x 1)) (set! x (+ x 1))) (assert (= x 2))", "safe");
}

/// Threads that are started beyond the bound do not run, but no two of them are the same.
#[test]
fn threads_beyond_the_bound_have_numbers_of_their_own() {
    let check = |claim: &str, expected: &str| {
        let start = |handle: &str| format!("(set! i 0) (while (< i 5) (seq (async {handle} w) (set! i (+ i 1))))");
        let (t, u) = (start("t"), start("u"));
        check(&format!("(var x i t u Int) (proc w () () (set! x 1)) {t} {u} (assert {claim})"), expected);
    };
    check("(/= t u)", "unknown (bound reached: one more instance of `(async t w)` in line 1 needed)");
    check("(> t 0)", "unknown (bound reached: one more instance of `(async t w)` in line 1 needed)");
    check("(= t u)", "unsafe");
}

#[test]
fn completion_is_what_weaver_forbids() {
    let check = |text: &str, expected: &str| {
        let outcome = verify(Language::Weaver, text, &Explicit::default(), true, &Control::new());
        assert_eq!(shown(&outcome), expected, "{text}");
    };
    check("(seq)", "unsafe");
    check("(assume false)", "safe");
    check("(par (assume true) (assume false))", "safe");
    check("(var x Int) (assume (= x 0)) (loop (set! x (- 1 x))) (assume (> x 1))", "safe");
    check("(var x Int) (assume (= x 0)) (loop (set! x (- 1 x))) (assume (= x 1))", "unsafe");
}

#[test]
fn guards_bound_their_inputs() {
    check("(var x y Int) (assume (and (= x y) (= y 0))) (assert (= x 0))", "safe");
    check("(var x y Int) (assume (and (<= 0 x) (<= x y) (<= y 3))) (assert (<= (+ x y) 6))", "safe");
    check("(var x y Int) (assume (and (<= 0 x) (<= x y) (<= y 3))) (assert (< (+ x y) 6))", "unsafe");
    check(
        "(var x Int) (assume (or (= x 7) (= x 1000000000000000000000))) (assert (> x 0))",
        "unknown (the input `x` has too many values)",
    );
}

#[test]
fn infinite_inputs_are_named() {
    let missing = "unknown (the input `x` has infinitely many values)";
    let copied = "(var x y Int) (par (set! y x) (set! y x)) (assert (= y x))";
    check(copied, missing);
    check_inputs(copied, "unknown (no violation for inputs in 0..3)");
    check_inputs("(var x y Int) (set! y x) (assert (/= y 3))", "unsafe");
    let two = "(var x y Int) (par (set! y x) (set! y x)) (assert (/= y 4))";
    check_inputs(two, "unknown (no violation for inputs in 0..3)");
    // A guard that bounds the input is worth more than the range.
    check_inputs("(var x Int) (assume (and (<= 0 x) (<= x 9))) (assert (/= x 9))", "unsafe");
    // A violation is one, whatever else is infinite.
    check("(var x y Int) (par (set! y x) (assert false))", "unsafe");
    check_inputs("(var f (Int) Int) (assert (= (f 1) (f 1)))", "safe");
    check_inputs("(var f (Int) Int) (assert (= (f 1) (f 2)))", "unsafe");
    check_inputs("(var a (Array Int Int)) (assert (= (select a 1) (select a 2)))", "unsafe");
}

#[test]
fn havocs() {
    check("(var x Int) (atomic (havoc! x) (assume (and (<= 0 x) (<= x 5)))) (assert (<= x 5))", "safe");
    check("(var x Int) (atomic (havoc! x) (assume (and (<= 0 x) (<= x 5)))) (assert (< x 5))", "unsafe");
    check("(var b c Bool) (havoc! b) (set! c b) (havoc! b) (assert (= b c))", "unsafe");
    check("(var b c Bool) (havoc! b) (set! c b) (assert (= b c))", "safe");
    check_inputs("(var x y Int) (havoc! x) (set! y x) (havoc! x) (assert (= x y))", "unsafe");
}

#[test]
fn havocked_arrays() {
    check("(var a c (Array Int Int)) (havoc! a) (set! c a) (assert (= c a))", "safe");
    check_inputs("(var a (Array Int Int)) (havoc! a) (assert (= (select a 1) (select a 2)))", "unsafe");
    check_inputs(
        "(var a c (Array Int Int)) (havoc! a) (set! c a) (havoc! a) (assert (= (select a 1) (select c 1)))",
        "unsafe",
    );
    check("(var a (Array Int Bool)) (havoc! a) (assert (=> (select a 1) (select a 1)))", "safe");
    check("(var a (Array Int Bool)) (havoc! a) (store! a 1 true) (assert (or (select a 1) (select a 2)))", "safe");
    check("(var a (Array Int Bool)) (havoc! a) (store! a 1 true) (assert (and (select a 1) (select a 2)))", "unsafe");
    let local = "(proc p () ((r Int)) (declare (t (Array Int Int)) (store! t 0 5) (set! r (select t 0))))";
    check(&format!("(var x Int) {local} (fork 1 p) (join (x) 1) (assert (= x 5))"), "safe");
}

#[test]
fn what_cannot_be_evaluated_is_unknown() {
    check(
        "(var a c (Array Int Int)) (assert (= a c))",
        "unknown (an action cannot be run on single values: an equality of arrays whose content is open)",
    );
    check(
        "(var x Int) (set! x (div 1 0)) (assert (= x 1))",
        "unknown (an action cannot be run on single values: a division by zero)",
    );
}

#[test]
fn arrays_of_arrays_are_unknown() {
    let why = "unknown (an action cannot be run on single values: each cell of `a` is an array)";
    let text = "(var a (Array Int (Array Int Int))) (assert (= (select (select a 0) 0) 1))";
    check(text, why);
    check_inputs(text, why);
}

#[test]
fn bit_vectors() {
    check("(var v (_ BitVec 4)) (assert (= (bvand v (bvnot v)) (_ bv0 4)))", "safe");
    check("(var v (_ BitVec 4)) (assert (bvult v (_ bv15 4)))", "unsafe");
    check("(var v (_ BitVec 32)) (assert (bvult v (_ bv15 32)))", "unknown (the input `v` has too many values)");
}

#[test]
fn threads() {
    let worker = "(var x Int) (proc add ((n Int)) () (set! x (+ x n))) (set! x 0) ";
    check(&format!("{worker} (fork 1 add 2) (join () 1) (assert (= x 2))"), "safe");
    check(&format!("{worker} (fork 1 add 2) (assert (= x 0)) (join () 1)"), "unsafe");
    check(&format!("{worker} (fork 1 add 2) (fork 1 add 3) (join () 1) (join () 1) (assert (= x 5))"), "safe");
    check(&format!("{worker} (fork 1 add 2) (fork 1 add 3) (join () 1) (assert (= x 5))"), "unsafe");
    check(&format!("{worker} (fork 1 add 2) (join () 1) (join () 1) (assert false)"), "safe");
}

#[test]
fn bounds_are_never_safe() {
    let forks = "(var x Int) (proc nop () ()) (set! x 0) (while (< x 9) (fork x nop) (set! x (+ x 1))) (assert true)";
    check(forks, "unknown (bound reached: one more instance of `(fork x nop)` in line 1 needed)");
    let calls = "(proc down ((n Int)) () (if (> n 0) (call () down (- n 1)) (seq))) (call () down 9) (assert true)";
    check(calls, "unknown (bound reached: one more nested call of `(call () down (- n 1))` in line 1 needed)");
    // Bugs below the bound are real.
    let bug = "(var x Int) (proc nop () ()) (set! x 0) (while (< x 9) (fork x nop) (set! x (+ x 1)) (assert (< x 2)))";
    check(bug, "unsafe");
}

#[test]
fn counterexamples_are_shortest() {
    let text = "(var x Int) (set! x 0) (loop (set! x (+ x 1))) (assert (< x 3))";
    let outcome = verify(Language::Braid, text, &Explicit::default(), false, &Control::new());
    let Verdict::Unsafe(counterexample) = outcome.verdict else { panic!("it is unsafe") };
    // One assignment, three rounds, the failing assertion.
    assert_eq!(counterexample.execution().steps.len(), 5);
    assert_eq!(counterexample.replayed().states.len(), 6);
}

#[test]
fn the_budget_is_kept() {
    let engine = Explicit { states: 50, ..Explicit::default() };
    check_with(&engine, ENDLESS, "unknown (more than 50 states)");
}

const ENDLESS: &str =
    "(var x y Int) (set! (x y) (0 0)) (par (loop (set! x (+ x 1))) (loop (set! y (+ y 1)))) (assert true)";

fn stopped(control: &Control) -> StopReason {
    match verify(Language::Braid, ENDLESS, &Explicit::default(), true, control).verdict {
        Verdict::Unknown(Reason::Stopped(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_deadline_ends_it() {
    let start = Instant::now();
    assert_eq!(stopped(&Control::new().until(Some(start + Duration::from_millis(200)))), StopReason::Timeout);
    assert!(start.elapsed() < Duration::from_millis(1200), "{:?}", start.elapsed());
}

#[test]
fn cancelling_ends_it() {
    let flag = Arc::new(AtomicBool::new(false));
    let setter = flag.clone();
    let start = Instant::now();
    let other = thread::spawn(move || {
        thread::sleep(Duration::from_millis(200));
        setter.store(true, Ordering::Relaxed);
    });
    assert_eq!(stopped(&Control::new().cancelled_by(flag)), StopReason::Interrupted);
    assert!(start.elapsed() < Duration::from_millis(1200), "{:?}", start.elapsed());
    other.join().expect("the other thread only waits");
}

#[test]
fn memory_ends_it() {
    assert_eq!(stopped(&Control::new().memory_limit(Some(1 << 20))), StopReason::Memory);
}
