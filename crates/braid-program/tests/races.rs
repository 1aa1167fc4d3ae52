//! Which checks for data races lowering settles: a program, and how many errors are left in its automata.

use braid_frontend::{Language, parse};
use braid_logic::TermPool;
use braid_program::cfa::Listing;
use braid_program::{LowerOptions, lower};

/// A write of `x` and a read of it, each with its check.
const WRITE: &str = "(atomic (assert (not w)) (set! w true)) (set! x (+ x 1)) (set! w false)";
const READ: &str = "(assert (not w)) (set! y x)";
/// The same for an element.
const WRITE_ELEMENT: &str =
    "(atomic (assert (not (and w (= at i)))) (set! (w at) (true i))) (set! a (store a i 1)) (set! w false)";

/// Two threads, each with a number, and what the first thread does beside them.
fn check(worker: &str, main: &str, errors: usize) {
    let text = format!(
        "(var m s x y n at Int) (var a (Array Int Int)) (var w Bool)
        (proc t ((i Int)) () (loop (seq {worker})))
        (proc main () () (declare (i Int) (declare (h Int) (declare (k Int)
          (set! (m s x y n at i h k w) (0 0 0 0 0 0 0 0 0 false)) {main}))))"
    );
    settles(&text, errors);
}

/// So many errors are left in a program.
fn settles(text: &str, errors: usize) {
    let program = parse("test.braid", text, Language::Braid).unwrap_or_else(|error| panic!("{error}"));
    let pool = TermPool::new();
    let lowered = lower(&program, &pool, LowerOptions::default()).unwrap_or_else(|error| panic!("{}", error.message));
    let listing = Listing(&lowered).to_string();
    assert_eq!(listing.matches("(error)").count(), errors, "{text}\n{listing}");
}

fn locked(take: &str, body: &str, give: &str) -> String {
    format!("(atomic {take}) (loop (seq {body})) (atomic {give})")
}

const TWO: &str = "(async h t 0) (async k t 1)";

#[test]
fn a_lock_around_all_accesses_settles_them() {
    let (take, give) = ("(assume (= m 0)) (set! m 1)", "(set! m 0)");
    check(&locked(take, WRITE, give), TWO, 0);
    check(&locked(take, WRITE, give), &format!("{TWO} {READ}"), 1);
    check(&format!("{} {READ}", locked(take, WRITE, give)), TWO, 2);
}

#[test]
fn readers_exclude_writers() {
    let (read, write) = ("(assume (>= s 0)) (set! s (+ s 1))", "(assume (= s 0)) (set! s (- 1))");
    let give = "(assume (/= s 0)) (if (> s 0) (set! s (- s 1)) (set! s 0))";
    let both = |outer: &str| format!("{} {}", locked(read, READ, give), locked(outer, WRITE, give));
    check(&both(write), TWO, 0);
    check(&both(read), TWO, 4);
    // Who gives back what it may not hold lets others in.
    check(&format!("{} (cond (seq) (atomic {give}))", both(write)), TWO, 4);
}

/// A reader who goes on as if nobody had read where the number of readers is negative: so it can be if it is so at first.
#[test]
fn a_negative_number_of_readers_stays_negative() {
    let check = |read: &str, errors: usize| {
        let reader = format!("(atomic {read} (set! s (+ s 1))) (if (<= s 0) (set! s 0)) {WRITE} (set! s (- s 1))");
        let writer = format!("(atomic (assume (= s 0)) (set! s (- 1))) {WRITE} (set! s 0)");
        let text = format!(
            "(var s x Int) (var w Bool) (proc r () () (seq {reader})) (proc t () () (seq {writer}))
            (proc main () () (declare (h Int) (declare (k Int) (seq (set! w false) (async h r) (async k t)))))"
        );
        settles(&text, errors);
    };
    check("(assume (>= s 0))", 0);
    check("(assume (/= s (- 1)))", 2);
}

#[test]
fn readers_are_counted_in_machine_words() {
    let check = |test: &str, errors: usize| {
        let read = format!("(atomic (assume {test}) (assume (bvsle s (_ bv126 8))) (set! s (bvadd s (_ bv1 8))))");
        let reader =
            format!("{read} {READ} (if (bvslt (_ bv0 8) s) (set! s (bvadd s (_ bv255 8))) (set! s (_ bv0 8)))");
        let writer = format!("(atomic (assume (= s (_ bv0 8))) (set! s (_ bv255 8))) {WRITE} (set! s (_ bv0 8))");
        let text = format!(
            "(var s (_ BitVec 8)) (var x y Int) (var w Bool) (proc r () () (seq {reader})) (proc t () () (seq {writer}))
            (proc main () () (declare (h Int) (declare (k Int) (seq (set! w false) (async h r) (async k t)))))"
        );
        settles(&text, errors);
    };
    check("(bvsle (_ bv0 8) s)", 0);
    check("(not (bvslt s (_ bv0 8)))", 0);
    check("(/= s (_ bv255 8))", 1);
}

#[test]
fn nobody_is_there_before_the_start_and_after_the_end() {
    check(WRITE, &format!("{WRITE} (async h t 0) (wait () h) {READ}"), 0);
    check(WRITE, &format!("(async h t 0) {WRITE} (wait () h) {READ}"), 2);
}

#[test]
fn elements_are_told_apart() {
    check(WRITE_ELEMENT, TWO, 0);
    check(WRITE_ELEMENT, "(async h t 1) (async k t 1)", 2);
}

#[test]
fn rounds_of_loops_that_start_threads_are_told_apart() {
    let rounds = "(while (< i n) (seq (async h t i) (set! i (+ i 1))))";
    // How many threads there are is not known; at most three have instances.
    check(WRITE_ELEMENT, &format!("(havoc! n) {rounds}"), 0);
    // It is known after the loop before.
    check(WRITE, &format!("(while (< x 5) (seq (set! x (+ x 1)) (set! n (mod x 2)))) {rounds}"), 0);
    check(WRITE, &format!("(while (< x 5) (seq (set! x (+ x 1)) (set! n (mod x 4)))) {rounds} {READ}"), 1);
}
