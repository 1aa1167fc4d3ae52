//! Bugs that need long interleavings: `gem` finds them, under every order, and they replay. Those behind thousands of steps of one thread are
//! found by `explicit`, if it visits what few preemptions lead to.

use braid_engines::explicit::{Explicit, Visits};
use braid_engines::gem::Gem;
use braid_engines::{Control, Engine, Task, Verdict};
use braid_frontend::Language;
use braid_logic::TermPool;
use braid_program::lower;
use braid_testkit::{parsed, stepwise};
use std::time::{Duration, Instant};

/// The number of steps and of changes between threads in the counterexample.
fn counterexample(text: &str, engine: &dyn Engine) -> (usize, usize) {
    let pool = TermPool::new();
    let automata = lower(&parsed(text, Language::Braid), &pool, stepwise()).expect("the program can be lowered");
    let task = Task::new(&automata);
    let control = Control::new().until(Some(Instant::now() + Duration::from_secs(20)));
    let outcome = engine.verify(&task, &control);
    let Verdict::Unsafe(counterexample) = outcome.verdict else { panic!("{:?}", outcome.verdict) };
    let steps = &counterexample.execution().steps;
    assert_eq!(counterexample.replayed().states.len(), steps.len() + 1);
    let threads: Vec<_> = steps.iter().map(|step| automata.action(step.action).thread).collect();
    (steps.len(), threads.windows(2).filter(|pair| pair[0] != pair[1]).count())
}

fn check(text: &str, steps: usize, changes: usize) {
    for order in ["seq", "lockstep", "loop-lockstep", "random:1", "positional-random:1"] {
        let engine = Gem { order: order.parse().expect("the order is known"), ..Gem::default() };
        let (found_steps, found_changes) = counterexample(text, &engine);
        assert!(
            found_steps >= steps && found_changes >= changes,
            "{found_steps} {found_changes} under {order}\n{text}"
        );
    }
}

/// Two players hand the ball to each other, ten times before it is lost.
#[test]
fn two_threads_in_turn() {
    check(
        "(var n Int) (var left Bool) (set! (n left) (0 true))
        (par
            (loop (assume left) (set! n (+ n 1)) (set! left false))
            (loop (assume (not left)) (set! n (+ n 1)) (set! left true))
            (assert (< n 10)))",
        30,
        10,
    );
}

/// Three workers, each started by the one before, count together; the last one ends too late.
#[test]
fn forked_threads_in_a_chain() {
    check(
        "(var n Int)
        (proc last () () (while (< n 9) (set! n (+ n 1))) (set! n (* n 2)) (assert (<= n 24)))
        (proc middle () () (fork 1 last) (while (< n 9) (set! n (+ n 1))) (set! n (+ n 4)))
        (set! n 0)
        (fork 2 middle)
        (while (< n 9) (set! n (+ n 1)))
        (join () 2)",
        25,
        2,
    );
}

/// A thread that starts many others, remembers them in an array, and then meets one of them at the wrong moment.
#[test]
fn one_preemption_behind_thousands_of_forks() {
    let text = "(var i x Int) (var started (Array Int Int))
        (proc worker () () (atomic (set! x (+ x 1))) (atomic (set! x (- x 1))))
        (set! (i x) (0 0))
        (while (< i 2000) (fork i worker) (set! started (store started i i)) (set! i (+ i 1)))
        (assert (= x 0))";
    let engine = Explicit { visits: Visits::Switches, states: 200_000, ..Explicit::default() };
    let (steps, _) = counterexample(text, &engine);
    assert!(steps > 6000, "{steps}");
}
