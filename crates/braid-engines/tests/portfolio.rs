//! Engines side by side: the first answer wins, everybody stops in time, and the answer fits the caller's program.

use braid_engines::explicit::Explicit;
use braid_engines::gem::Gem;
use braid_engines::{Answer, Control, Engine, Member, Outcome, Portfolio, Task, Verdict};
use braid_frontend::Language;
use braid_logic::TermPool;
use braid_program::{LowerOptions, lower};
use braid_reduction::OrderSpec;
use braid_testkit::parsed;
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

fn member(engine: impl Engine + Send + Sync + 'static) -> Member {
    Member { engine: Box::new(engine), order: None }
}

fn portfolio(workers: usize) -> Portfolio {
    let gem = |order| member(Gem { order, ..Gem::default() });
    let members =
        vec![gem(OrderSpec::LoopLockstep), gem(OrderSpec::Seq), gem(OrderSpec::Cut(9)), member(Explicit::default())];
    Portfolio { members, workers, at_first: workers, beside: Default::default(), head_start: None }
}

fn verify(text: &str, workers: usize, time: Duration) -> Answer {
    let program = parsed(text, Language::Braid);
    let control = Control::new().until(Some(Instant::now() + time));
    let answer = portfolio(workers).verify(&program, LowerOptions::default(), &control);
    if let Verdict::Unsafe(found) = &answer.outcome.verdict {
        let pool = TermPool::new();
        let automata = lower(&program, &pool, LowerOptions::default()).expect("lowers");
        let again = Verdict::from_execution(&automata, found.execution().clone());
        assert!(matches!(again, Verdict::Unsafe(_)), "{again:?}");
    }
    answer
}

#[test]
fn whoever_answers_first_wins() {
    let up = "(var x n Int) (assume (>= n 0)) (set! x 0) (while (< x n) (set! x (+ x 1))) (assert (= x n))";
    let havoc = "(var x y Int) (set! y 0) (par (havoc! x) (set! y 1)) (assert (not (and (= y 1) (= x 12345))))";
    for workers in [1, 2, 8] {
        let safe = verify(up, workers, Duration::from_secs(20)).outcome.verdict;
        assert!(matches!(safe, Verdict::Safe(_)), "{safe:?}");
        let unsafe_ = verify(havoc, workers, Duration::from_secs(20)).outcome.verdict;
        assert!(matches!(unsafe_, Verdict::Unsafe(_)), "{unsafe_:?}");
    }
}

#[test]
fn without_an_answer_all_stop_at_the_deadline() {
    // No square leaves 3 when it is divided by 7.
    let squares = "(var x y z Int) (set! (x y) (0 1)) (loop (set! (x y) ((+ x y) (+ y 2))))
        (assert (not (= x (+ 3 (* 7 z)))))";
    let start = Instant::now();
    let answer = verify(squares, 4, Duration::from_millis(500));
    assert_eq!(answer.member, 0, "the first member speaks for all");
    match answer.outcome.verdict {
        Verdict::Unknown(reason) => assert_eq!(reason.to_string(), "timeout"),
        other => panic!("{other:?}"),
    }
    assert!(start.elapsed() < Duration::from_millis(1500), "{:?}", start.elapsed());
}

/// An engine with a mistake.
struct Broken;

impl Engine for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }

    fn verify(&self, _: &Task<'_, '_>, _: &Control) -> Outcome {
        panic!("on purpose")
    }
}

#[test]
fn nobody_waits_for_a_member_that_panics() {
    let program = parsed("(var x Int) (set! x 0) (assert (= x 0))", Language::Braid);
    let start = Instant::now();
    let broken = Portfolio {
        members: vec![member(Broken)],
        workers: 1,
        at_first: 1,
        beside: Default::default(),
        head_start: None,
    };
    let control = Control::new().until(Some(start + Duration::from_secs(20)));
    let verify = || broken.verify(&program, LowerOptions::default(), &control).member;
    let panic = std::panic::catch_unwind(AssertUnwindSafe(verify)).expect_err("the panic goes on");
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"on purpose"));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}
