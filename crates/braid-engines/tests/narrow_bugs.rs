//! Programs with a bug in one class of interleavings only, which `gem` would call safe if one condition of its proof check
//! were dropped: the test says which. What is proven is given by `use`, so that no other assertions get in the way.
//! All have three threads t1, t2 and t3, for the orders.

use braid_engines::gem::Gem;
use braid_engines::{Control, Engine, Task, Verdict};
use braid_frontend::{Language, parse};
use braid_logic::TermPool;
use braid_program::{LowerOptions, lower};
use braid_reduction::{CommutativityMode, Reduction};

/// The bug is found, whatever the order and the reduction.
fn check(text: &str) {
    let program = parse("test", text, Language::Braid).unwrap_or_else(|errors| panic!("{errors}"));
    for order in ["seq", "seq:t2", "seq:t3", "seq:t3,t2", "lockstep", "random:1", "random:2", "positional-random:1"] {
        for commutativity in
            [CommutativityMode::Syntactic, CommutativityMode::Semantic, CommutativityMode::ProofSensitive]
        {
            for reduction in [Reduction::Sleep, Reduction::Persistent, Reduction::Both] {
                let pool = TermPool::new();
                let options = LowerOptions { fuse: false, ..LowerOptions::default() };
                let automata = lower(&program, &pool, options).expect("the program can be lowered");
                let order = order.parse().expect("the order is known");
                let engine = Gem { order, commutativity, reduction, ..Gem::default() };
                let task = Task::new(&automata);
                let verdict = engine.verify(&task, &Control::new()).verdict;
                assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?} with {engine:?}\n{text}");
            }
        }
    }
}

/// Commutativity is asked under what holds before both actions. The counter is 1: who enters first makes it 2, and only then
/// would it not matter who comes first.
#[test]
fn actions_commute_under_what_holds_before_them() {
    let exit = "(atomic (set! n (- n 1)) (set! e (or e (= n 0))))";
    check(&format!(
        "(var n Int) (var e Bool) (use (>= n 1) (>= n 2) e) (assume (and (= n 1) (not e)))
        (par (set! n (+ n 1)) {exit} (assume true)) (assert e)"
    ));
}

/// A state is covered only by one that sleeps less. Where t2 and t3 are done, the same is known whoever was first; but
/// after t2 before t3, the assertion sleeps, since it might as well come before t3.
#[test]
fn states_are_covered_by_states_that_sleep_less() {
    check("(var x y Int) (use (= x 0) (<= y x)) (set! (x y) (0 0)) (par (assert (<= y 0)) (set! y x) (set! x 1))");
}

/// A state is covered only by one that knows less.
#[test]
fn states_are_covered_by_states_that_know_less() {
    check("(var x Int) (use (<= x 1)) (set! x 0) (par (set! x 1) (set! x 2) (assume true)) (assert (<= x 1))");
}

/// Membranes look at all that a thread may still do: t1 commutes with the next steps of t2, but not with the last one.
#[test]
fn membranes_look_at_all_that_may_come() {
    check(
        "(var n d Int) (var e Bool) (use (>= n 2) (<= d 0)) (assume (and (= n 2) (= d 0) (not e)))
        (par (set! d 1) (seq (set! n (- n 1)) (set! n (- n 1)) (set! e (= d 0))) (assume true))
        (assert (not e))",
    );
}

/// What may come is also what threads do that are not started yet.
#[test]
fn membranes_look_at_threads_to_be_forked() {
    check("(var x Int) (proc f () () (set! x 1)) (set! x 0) (par (assert (= x 0)) (fork 1 f) (assume true))");
}

/// A membrane leads to what is looked for: not to a thread that may go on for ever while others wait.
#[test]
fn membranes_do_not_ignore_the_thread_that_fails() {
    check(
        "(var x y Int) (set! (x y) (0 0))
        (par (while true (set! y 0)) (seq (set! x 1) (assert (= x 0))) (while true (set! y 0)))",
    );
}
