//! An engine against `explicit`, on random programs.

use crate::cases;
use crate::generator::{self, Inputs};
use crate::protocols::protocol;
use braid_engines::explicit::Explicit;
use braid_engines::{Control, Engine, Outcome, Reason, Task, Verdict};
use braid_frontend::Language;
use braid_logic::TermPool;
use braid_program::ast::Program;
use braid_program::{LowerOptions, cfa, lower, replay};
use braid_testkit::{Choices, parsed};
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

pub fn within(patience: Duration, engine: &impl Engine, task: &Task<'_, '_>) -> Outcome {
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
    fn compare<E: Engine + Debug>(
        &self,
        program: &Program,
        engine: &E,
        (fuse, notices_faults): (bool, bool),
    ) -> Result<(), TestCaseError> {
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
                Verdict::Unknown(Reason::Internal(why)) if !notices_faults => {
                    prop_assert!(false, "{why}: {}", about());
                }
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
    fn finish(&self, refined_percent: u32) {
        let [safe, violated, undecided, refined] =
            [&self.safe, &self.violated, &self.undecided, &self.refined].map(Cell::get);
        println!("{safe} safe, {violated} unsafe, {undecided} undecided; {refined} took several rounds");
        assert!(undecided * 10 <= (safe + violated + undecided) * 4, "{undecided} programs are undecided");
        assert!(safe.min(violated) * 10 > safe + violated);
        assert!(refined * 100 > (safe + violated) * refined_percent, "few programs need more than one round");
    }
}

/// Which engine is compared, out of so many.
pub struct Settings<E> {
    /// One of them, by number. The strongest reductions, which come first, leave most to be done wrong.
    pub setting: fn(usize) -> E,
    pub strongest: usize,
    pub all: usize,
    /// More than so many of a hundred verdicts take several rounds.
    pub refined_percent: u32,
    /// Does an engine that notices its own fault count as undecided?
    pub notices_faults: bool,
}

impl<E: Engine + Debug> Settings<E> {
    /// Compares the engine with `explicit` on programs out of numbers.
    fn check(&self, usual: u32, program: impl Fn(&[u8]) -> Program) {
        let tally = Tally::default();
        let cases = cases(usual);
        let config = ProptestConfig {
            cases,
            failure_persistence: None,
            max_global_rejects: cases * 10,
            ..ProptestConfig::default()
        };
        let numbers = prop::collection::vec(any::<u8>(), 0..120);
        let number = prop_oneof![0..self.strongest, 0..self.all];
        let result = TestRunner::new(config).run(&(numbers, number, any::<bool>()), |(numbers, number, fuse)| {
            tally.compare(&program(&numbers), &(self.setting)(number), (fuse, self.notices_faults))
        });
        if let Err(error) = result {
            panic!("{error}");
        }
        tally.finish(self.refined_percent);
    }

    /// On programs of all kinds.
    pub fn on_programs(&self, usual: u32) {
        self.check(usual, |numbers| generator::program(Choices::new(numbers), Inputs::Bounded));
    }

    /// On protocols, which have copied threads.
    pub fn on_protocols(&self, usual: u32) {
        self.on_texts(usual, protocol);
    }

    /// On programs that are made as text.
    pub fn on_texts(&self, usual: u32, text: impl Fn(&[u8]) -> String) {
        self.check(usual, |numbers| parsed(&text(numbers), Language::Braid));
    }
}
