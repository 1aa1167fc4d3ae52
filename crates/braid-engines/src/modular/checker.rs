//! The sequential model checker under the modular algorithm (section 2): whatever can tell whether a program with one thread reaches an
//! error location, and along which path. *Invariant*: a path may be wrong without harm to verdicts, `Safe` must not.

use crate::cegar::Cegar;
use crate::gem::Gem;
use crate::{Control, Engine, Reason, Task, Verdict};
use braid_program::Execution;
use braid_program::cfa::Program;
use braid_proof::{Contradiction, ProverOptions};

/// What is known of a sequential program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    /// No error location is reached.
    Safe,
    /// An execution along a violating path.
    Violated(Execution),
    /// Neither could be shown.
    Unknown(Reason),
}

/// Checks programs that have one thread.
pub trait SequentialChecker {
    /// Is an error location reached, and how?
    fn check(&self, program: &Program<'_>, control: &Control) -> Checked;
}

/// The built-in one: `gem`, for which one thread has one interleaving; where that has no answer, its variants and `cegar`.
pub(super) struct Builtin<'a>(pub &'a Gem);

impl SequentialChecker for Builtin<'_> {
    fn check(&self, program: &Program<'_>, control: &Control) -> Checked {
        let first = self.0;
        let mut checked = by_engine(first, program, control);
        if matches!(checked, Checked::Unknown(Reason::Incomplete(_))) {
            let prover = ProverOptions { contradiction: Contradiction::Last, ..first.prover.clone() };
            let second = Gem { seed_invariants: !first.seed_invariants, prover, ..first.clone() };
            checked = by_engine(&second, program, control);
        }
        if matches!(checked, Checked::Unknown(Reason::Incomplete(_))) {
            let (prover, solver) = (first.prover.clone(), first.solver.clone());
            checked = by_engine(&Cegar { prover, solver, ..Cegar::default() }, program, control);
        }
        checked
    }
}

fn by_engine(engine: &dyn Engine, program: &Program<'_>, control: &Control) -> Checked {
    match engine.verify(&Task::new(program), control).verdict {
        Verdict::Safe(_) => Checked::Safe,
        Verdict::Unsafe(counterexample) => Checked::Violated(counterexample.execution().clone()),
        Verdict::Unknown(reason) => Checked::Unknown(reason),
    }
}
