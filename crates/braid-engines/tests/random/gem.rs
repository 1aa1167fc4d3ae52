//! `gem` against `explicit`, on random programs: under no order, commutativity or reduction do they contradict each other.

use crate::cases;
use crate::generator::{self, Choices, Inputs};
use braid_engines::explicit::Explicit;
use braid_engines::gem::{Gem, Reduction};
use braid_engines::{Control, Engine, Outcome, Property, Reason, Statistics, Task, Verdict};
use braid_logic::{Budget, SolverOptions, TermPool};
use braid_program::ast::Program;
use braid_program::{LowerOptions, cfa, lower, replay};
use braid_reduction::CommutativityMode;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use std::cell::Cell;
use std::time::{Duration, Instant};

const ORDERS: [&str; 6] =
    ["seq", "lockstep", "loop-lockstep", "random:1", "positional-random:1", "positional-random:2"];
const COMMUTATIVITY: [CommutativityMode; 4] = [
    CommutativityMode::None,
    CommutativityMode::Syntactic,
    CommutativityMode::Semantic,
    CommutativityMode::ProofSensitive,
];
const REDUCTIONS: [Reduction; 4] = [Reduction::None, Reduction::Sleep, Reduction::Persistent, Reduction::Both];

/// What a program gets before it counts as undecided.
const PATIENCE: Duration = Duration::from_millis(300);

/// One of all settings, by number; the strongest reduction comes first.
fn setting(number: usize) -> Gem {
    let (number, order) = (number / ORDERS.len(), ORDERS[number % ORDERS.len()]);
    let (number, commutativity) = (number / 4, COMMUTATIVITY[3 - number % 4]);
    Gem {
        order: order.parse().expect("the order is known"),
        commutativity,
        reduction: REDUCTIONS[3 - number % 4],
        solver: SolverOptions { budget: Budget { rlimit: 1_000_000, ..Budget::default() }, ..SolverOptions::default() },
        ..Gem::default()
    }
}

fn lowered<R>(program: &Program, fuse: bool, run: impl FnOnce(&Task<'_, '_>) -> R) -> R {
    let pool = TermPool::new();
    let options = LowerOptions { fuse, ..LowerOptions::default() };
    let automata: cfa::Program<'_> = lower(program, &pool, options).expect("the program can be lowered");
    run(&Task { program: &automata, property: Property::UnreachCall, seed: 0 })
}

fn within(patience: Duration, engine: &Gem, task: &Task<'_, '_>) -> Outcome {
    engine.verify(task, &Control::new().until(Some(Instant::now() + patience)))
}

fn numbers() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..120)
}

#[test]
fn gem_never_contradicts_explicit() {
    let (safe, violated, undecided) = (Cell::new(0u32), Cell::new(0u32), Cell::new(0u32));
    let count = |counter: &Cell<u32>| counter.set(counter.get() + 1);
    let check = |(numbers, number, fuse): (Vec<u8>, usize, bool)| {
        let program = generator::program(Choices::new(&numbers), Inputs::Bounded);
        let engine = setting(number);
        let about = || format!("fuse {fuse}, {engine:?}\n{}", braid_program::print::to_text(&program));
        lowered(&program, fuse, |task| {
            let oracle = match Explicit::default().verify(task, &Control::new()).verdict {
                Verdict::Safe(_) => true,
                Verdict::Unsafe(_) => false,
                Verdict::Unknown(why) => return Err(TestCaseError::fail(format!("explicit: {why}, {}", about()))),
            };
            match within(PATIENCE, &engine, task).verdict {
                Verdict::Safe(_) => {
                    count(&safe);
                    prop_assert!(oracle, "safe, but it is not: {}", about());
                }
                Verdict::Unsafe(counterexample) => {
                    count(&violated);
                    prop_assert!(!oracle, "unsafe, but it is safe: {}", about());
                    let again = replay(task.program, counterexample.execution());
                    prop_assert!(again.is_ok_and(|again| again.violation == counterexample.replayed().violation));
                }
                Verdict::Unknown(Reason::Internal(why)) => prop_assert!(false, "{why}: {}", about()),
                Verdict::Unknown(_) => count(&undecided),
            }
            Ok(())
        })
    };
    let settings = ORDERS.len() * COMMUTATIVITY.len() * REDUCTIONS.len();
    let config = ProptestConfig { cases: cases(500), failure_persistence: None, ..ProptestConfig::default() };
    let result = TestRunner::new(config).run(&(numbers(), 0..settings, any::<bool>()), check);
    if let Err(error) = result {
        panic!("{error}");
    }
    let (safe, violated, undecided) = (safe.get(), violated.get(), undecided.get());
    println!("{safe} safe, {violated} unsafe, {undecided} undecided");
    assert!(undecided * 10 <= (safe + violated + undecided) * 4, "{undecided} programs are undecided");
}

/// What a run does is a matter of the program and the settings alone.
#[test]
fn the_same_program_gives_the_same_run() {
    let figures = |outcome: &Outcome| {
        let Statistics { rounds, states, proof_size, smt_queries, .. } = outcome.statistics;
        let verdict = match &outcome.verdict {
            Verdict::Unsafe(counterexample) => format!("{:?}", counterexample.execution()),
            other => format!("{other:?}"),
        };
        (rounds, states, proof_size, smt_queries, verdict)
    };
    let (mut random, mut compared) = (braid_program::Random::new(1), 0);
    for number in 0..60 {
        let numbers: Vec<u8> = (0..100).map(|_| random.below(256) as u8).collect();
        let program = generator::program(Choices::new(&numbers), Inputs::Bounded);
        let engine = setting(number);
        let first = lowered(&program, true, |task| within(PATIENCE, &engine, task));
        if matches!(first.verdict, Verdict::Unknown(Reason::Stopped(_))) {
            continue;
        }
        let second = lowered(&program, true, |task| within(20 * PATIENCE, &engine, task));
        assert_eq!(figures(&first), figures(&second), "{engine:?}\n{}", braid_program::print::to_text(&program));
        compared += 1;
    }
    assert!(compared > 30, "only {compared} programs were decided");
}
