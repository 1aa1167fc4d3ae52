//! An engine against `explicit`, on random programs: they never contradict each other.

use braid_engines::explicit::Explicit;
use braid_engines::{Control, Engine, Outcome, Reason, Task, Verdict};
use braid_logic::TermPool;
use braid_program::ast::Program;
use braid_program::{LowerOptions, cfa, lower, replay};
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use std::cell::Cell;
use std::fmt::Debug;
use std::time::{Duration, Instant};

/// What a program gets before it counts as undecided.
pub const PATIENCE: Duration = Duration::from_millis(300);

pub fn lowered<R>(program: &Program, fuse: bool, run: impl FnOnce(&Task<'_, '_>) -> R) -> R {
    let pool = TermPool::new();
    let options = LowerOptions { fuse, ..LowerOptions::default() };
    let automata: cfa::Program<'_> = lower(program, &pool, options).expect("the program can be lowered");
    run(&Task::new(&automata))
}

pub fn within(patience: Duration, engine: &dyn Engine, task: &Task<'_, '_>) -> Outcome {
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
    fn compare(&self, program: &Program, engine: &(impl Engine + Debug), fuse: bool) -> Result<(), TestCaseError> {
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

/// An engine with all its settings.
pub struct Comparison<E> {
    /// How many settings there are, and how many of them, which come first, leave most to be done wrong.
    pub settings: usize,
    pub strongest: usize,
    /// One of them, by number.
    pub setting: fn(usize) -> E,
}

/// Compares an engine with the oracle on programs out of numbers.
pub fn compare_all<E: Engine + Debug>(cases: u32, comparison: &Comparison<E>, program: impl Fn(&[u8]) -> Program) {
    let tally = Tally::default();
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        max_global_rejects: cases * 10,
        ..ProptestConfig::default()
    };
    let numbers = prop::collection::vec(any::<u8>(), 0..120);
    let number = prop_oneof![0..comparison.strongest, 0..comparison.settings];
    let result = TestRunner::new(config).run(&(numbers, number, any::<bool>()), |(numbers, number, fuse)| {
        tally.compare(&program(&numbers), &(comparison.setting)(number), fuse)
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    tally.finish();
}
