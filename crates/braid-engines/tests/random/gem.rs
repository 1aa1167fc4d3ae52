//! `gem` against `explicit`, on random programs: under no order, commutativity or reduction do they contradict each other.

use crate::cases;
use crate::generator::{self, Choices, Inputs};
use crate::protocols::protocol;
use braid_engines::explicit::Explicit;
use braid_engines::gem::{Gem, Pruning, Reduction};
use braid_engines::{Control, Engine, Outcome, Reason, Statistics, Task, Verdict};
use braid_frontend::{Language, parse};
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
/// The strongest first, here and below: what proptest shrinks to.
const COMMUTATIVITY: [CommutativityMode; 4] = [
    CommutativityMode::ProofSensitive,
    CommutativityMode::Semantic,
    CommutativityMode::Syntactic,
    CommutativityMode::None,
];
const REDUCTIONS: [Reduction; 4] = [Reduction::Both, Reduction::Sleep, Reduction::Persistent, Reduction::None];
const PRUNING: [Pruning; 3] = [Pruning::Useless, Pruning::Subsumption, Pruning::None];
const SETTINGS: usize = ORDERS.len() * COMMUTATIVITY.len() * REDUCTIONS.len();

/// What a program gets before it counts as undecided.
const PATIENCE: Duration = Duration::from_millis(300);

/// One of all settings, by number.
fn setting(number: usize) -> Gem {
    // Seeds settle many small programs in the first round; most runs do without.
    let seed_invariants = (number / 7).is_multiple_of(3);
    let (number, order) = (number / ORDERS.len(), ORDERS[number % ORDERS.len()]);
    let budget = Budget { rlimit: 1_000_000, ..Budget::default() };
    Gem {
        order: order.parse().expect("the order is known"),
        commutativity: COMMUTATIVITY[number % COMMUTATIVITY.len()],
        reduction: REDUCTIONS[number / COMMUTATIVITY.len() % REDUCTIONS.len()],
        pruning: PRUNING[number % PRUNING.len()],
        seed_invariants,
        solver: SolverOptions { budget, ..SolverOptions::default() },
        ..Gem::default()
    }
}

fn lowered<R>(program: &Program, fuse: bool, run: impl FnOnce(&Task<'_, '_>) -> R) -> R {
    let pool = TermPool::new();
    let options = LowerOptions { fuse, ..LowerOptions::default() };
    let automata: cfa::Program<'_> = lower(program, &pool, options).expect("the program can be lowered");
    run(&Task::new(&automata))
}

fn within(patience: Duration, engine: &Gem, task: &Task<'_, '_>) -> Outcome {
    engine.verify(task, &Control::new().until(Some(Instant::now() + patience)))
}

/// What came of all comparisons.
#[derive(Default)]
struct Tally {
    safe: Cell<u32>,
    violated: Cell<u32>,
    undecided: Cell<u32>,
    /// Verdicts that took more than the first round.
    refined: Cell<u32>,
}

impl Tally {
    fn count(counter: &Cell<u32>) {
        counter.set(counter.get() + 1);
    }

    /// Compares the engines on one program. What has too many states for the oracle is passed over.
    fn compare(&self, program: &Program, engine: &Gem, fuse: bool) -> Result<(), TestCaseError> {
        let about = || format!("fuse {fuse}, {engine:?}\n{}", braid_program::print::to_text(program));
        lowered(program, fuse, |task| {
            let oracle = Explicit { states: 20_000, ..Explicit::default() };
            let is_safe = match oracle.verify(task, &Control::new()).verdict {
                Verdict::Safe(_) => true,
                Verdict::Unsafe(_) => false,
                Verdict::Unknown(_) => return Err(TestCaseError::reject("too many states")),
            };
            let outcome = within(PATIENCE, engine, task);
            match outcome.verdict {
                Verdict::Safe(_) => {
                    Self::count(&self.safe);
                    prop_assert!(is_safe, "safe, but it is not: {}", about());
                }
                Verdict::Unsafe(counterexample) => {
                    Self::count(&self.violated);
                    prop_assert!(!is_safe, "unsafe, but it is safe: {}", about());
                    let again = replay(task.program, counterexample.execution());
                    prop_assert!(again.is_ok_and(|again| again.violation == counterexample.replayed().violation));
                }
                Verdict::Unknown(Reason::Internal(why)) => prop_assert!(false, "{why}: {}", about()),
                Verdict::Unknown(_) => {
                    Self::count(&self.undecided);
                    return Ok(());
                }
            }
            if outcome.statistics.rounds > 1 {
                Self::count(&self.refined);
            }
            Ok(())
        })
    }

    /// The comparison is worth something only if most programs are decided, and not all of them at once.
    fn finish(&self) {
        let [safe, violated, undecided, refined] =
            [&self.safe, &self.violated, &self.undecided, &self.refined].map(Cell::get);
        println!("{safe} safe, {violated} unsafe, {undecided} undecided; {refined} took several rounds");
        assert!(undecided * 10 <= (safe + violated + undecided) * 4, "{undecided} programs are undecided");
        assert!(safe.min(violated).min(refined) * 10 > safe + violated);
    }
}

/// Compares the engines on programs out of numbers.
fn check(usual: u32, program: impl Fn(&[u8]) -> Program) {
    let tally = Tally::default();
    let cases = cases(usual);
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        max_global_rejects: cases * 10,
        ..ProptestConfig::default()
    };
    let numbers = prop::collection::vec(any::<u8>(), 0..120);
    // The strongest reductions, which come first, leave most to be done wrong.
    let number = prop_oneof![0..ORDERS.len(), 0..SETTINGS];
    let result = TestRunner::new(config).run(&(numbers, number, any::<bool>()), |(numbers, number, fuse)| {
        tally.compare(&program(&numbers), &setting(number), fuse)
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    tally.finish();
}

#[test]
fn on_programs_of_all_kinds_gem_never_contradicts_explicit() {
    check(1000, |numbers| generator::program(Choices::new(numbers), Inputs::Bounded));
}

#[test]
fn on_protocols_gem_never_contradicts_explicit() {
    check(500, |numbers| {
        let text = protocol(numbers);
        parse("protocol", &text, Language::Braid).unwrap_or_else(|errors| panic!("{errors}\n{text}"))
    });
}

/// What a run does is a matter of the program and the settings alone.
#[test]
fn the_same_program_gives_the_same_run() {
    let figures = |outcome: &Outcome| {
        let Statistics { rounds, states, proof_size, smt_queries, .. } = outcome.statistics;
        let verdict = match &outcome.verdict {
            Verdict::Unsafe(counterexample) => format!("{:?}", counterexample.execution().steps),
            other => format!("{other:?}"),
        };
        (rounds, states, proof_size, smt_queries, verdict)
    };
    let (mut random, mut compared) = (braid_program::Random::new(1), 0);
    for number in 0..100 {
        let numbers: Vec<u8> = (0..100).map(|_| random.below(256) as u8).collect();
        let text = protocol(&numbers);
        let program = parse("protocol", &text, Language::Braid).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        let engine = setting(number);
        let first = lowered(&program, true, |task| within(PATIENCE, &engine, task));
        if matches!(first.verdict, Verdict::Unknown(Reason::Stopped(_))) {
            continue;
        }
        let second = lowered(&program, true, |task| within(20 * PATIENCE, &engine, task));
        assert_eq!(figures(&first), figures(&second), "{engine:?}\n{text}");
        compared += 1;
    }
    assert!(compared > 50, "only {compared} programs were decided");
}
