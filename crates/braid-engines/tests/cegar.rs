//! `cegar` on small programs: the examples of paper 5, and what the cone leaves out.

use braid_engines::cegar::{Cegar, DomainKind};
use braid_engines::{Control, Engine, Outcome, Task, Verdict};
use braid_frontend::Language;
use braid_reduction::ConeMode;
use braid_testkit::{lowered, parsed, stepwise};
use std::time::{Duration, Instant};

const CONES: [ConeMode; 3] = [ConeMode::None, ConeMode::Static, ConeMode::Dynamic];

/// Verifies a program in which every step is an action of its own.
fn verified(text: &str, engine: &Cegar) -> Outcome {
    let control = Control::new().until(Some(Instant::now() + Duration::from_secs(20)));
    lowered(&parsed(text, Language::Braid), stepwise(), |program| engine.verify(&Task::new(program), &control))
}

/// The verdict in both domains, under all cones.
fn check(text: &str, is_safe: bool) {
    for cone in CONES {
        for domain in [DomainKind::Explicit, DomainKind::Predicates] {
            for reduction in [false, true] {
                let engine = Cegar { cone, domain, reduction, ..Cegar::default() };
                let verdict = verified(text, &engine).verdict;
                let as_expected = match &verdict {
                    Verdict::Safe(_) => is_safe,
                    Verdict::Unsafe(_) => !is_safe,
                    Verdict::Unknown(_) => false,
                };
                assert!(as_expected, "{verdict:?} by {engine:?}\n{text}");
            }
        }
    }
}

/// Section 4.3: the assignments are left out because nothing is known of `x` or `y` yet; a refiner that did not see them would
/// believe the counterexample.
#[test]
fn the_refiner_sees_the_original_actions() {
    check("(var x y Int) (seq (set! x 1) (seq (set! y x) (assert (= y 1))))", true);
    check("(var x y Int) (seq (set! x 2) (seq (set! y x) (assert (= y 1))))", false);
}

/// Figure 1a: `x` may change once it was read.
#[test]
fn an_assignment_can_matter_in_one_interleaving_and_not_in_another() {
    let program =
        |claim: &str| format!("(var x y Int) (seq (set! x 1) (par (set! x 0) (seq (set! y x) (assert {claim}))))");
    check(&program("(or (= y 1) (= y 0))"), true);
    check(&program("(= y 1)"), false);
}

/// Figure 1b: `2n` writers that do not matter.
fn writers(n: usize) -> String {
    let writers: String = (1..=2 * n).map(|value| format!("(set! y {value})")).collect();
    format!(
        "(var x y z Int)
         (seq (set! z 0) (par (seq (loop (set! z (+ z (* 2 y)))) (seq (set! x (mod z 2)) (assert (= x 0)))) {writers}))"
    )
}

#[test]
fn what_the_precision_does_not_see_costs_nothing() {
    let states = |n: usize| {
        let outcome = verified(&writers(n), &Cegar::default());
        assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{:?}", outcome.verdict);
        outcome.statistics.states
    };
    assert_eq!(states(2), states(20));
}

#[test]
fn the_cone_counts_what_it_leaves_out() {
    let simplified = |cone: ConeMode, reduction: bool| {
        let statistics = verified(&writers(2), &Cegar { cone, reduction, ..Cegar::default() }).statistics;
        assert!(statistics.cone.statements > 0);
        statistics.cone.skipped + statistics.cone.havocked
    };
    assert_eq!(simplified(ConeMode::None, false), 0);
    assert!(simplified(ConeMode::Static, false) > 0);
    assert!(simplified(ConeMode::Dynamic, false) >= simplified(ConeMode::Static, false));
}

/// A thread that is past its assertion is not past it for ever.
#[test]
fn threads_that_start_again_can_fail_later() {
    let again =
        |then: &str| format!("(var x Int) (seq (set! x 0) (loop (par (seq (assert (= x 0)) {then}) (assume true))))");
    check(&again("(set! x 1)"), false);
    check(&again("(set! x 0)"), true);
}

/// The states of a proof.
fn states(text: &str, engine: &Cegar) -> u64 {
    let outcome = verified(text, engine);
    assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{:?} by {engine:?}\n{text}", outcome.verdict);
    outcome.statistics.states
}

#[test]
fn like_threads_are_visited_as_one() {
    let one = "(declare (t Int) (seq (set! t x) (assume (< t 3)) (set! x (+ t 1))))";
    let program = |threads: usize| {
        format!("(var x Int) (seq (set! x 0) (par {} (assume true)) (assert (<= x 3)))", one.repeat(threads))
    };
    for domain in [DomainKind::Explicit, DomainKind::Predicates] {
        let engine = Cegar { domain, ..Cegar::default() };
        let one_by_one = Cegar { reduction: false, ..engine.clone() };
        check(&program(2), true);
        let (few, many) = (states(&program(4), &engine), states(&program(4), &one_by_one));
        assert!(few * 4 < many, "{few} of {many} states");
    }
}

#[test]
fn threads_that_differ_in_numbers_which_are_not_told_apart_are_visited_as_one() {
    let program = |threads: usize, claim: &str| {
        let writers: String = (1..=threads).map(|number| format!("(set! x {number})")).collect();
        format!("(var x Int) (seq (set! x 0) (par {writers} (assert {claim})))")
    };
    check(&program(3, "(<= x 3)"), true);
    check(&program(3, "(<= x 2)"), false);
    check(&program(3, "(or (= x 0) (= x 1) (= x 2) (= x 3))"), true);
    check(&program(3, "(or (= x 0) (= x 1) (= x 3))"), false);
    assert!(states(&program(20, "(<= x 20)"), &Cegar::default()) < 100);
}
