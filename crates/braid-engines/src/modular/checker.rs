//! The sequential model checker under the modular algorithm (section 2): whatever can tell whether a program with one thread reaches an
//! error location, and along which path. *Invariant*: a path may be wrong without harm to verdicts, `Safe` must not.

use super::outline::{Annotation, Outline};
use crate::{Control, Engine, Reason, Task, Verdict};
use braid_program::Execution;
use braid_program::cfa::Program;

/// What is known of a sequential program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    /// No error location is reached; the proof, if there is one for each location.
    Safe(Option<Annotation>),
    /// An execution along a violating path.
    Violated(Execution),
    /// Neither could be shown.
    Unknown(Reason),
}

/// Checks programs that have one thread.
pub trait SequentialChecker<'p> {
    /// Is an error location reached, and how? The outline is what a proof may look like.
    fn check(&mut self, program: &Program<'p>, outline: &Outline, control: &Control) -> Checked;
}

/// What an engine says.
pub(super) fn by_engine(engine: &dyn Engine, program: &Program<'_>, control: &Control) -> Checked {
    match engine.verify(&Task::new(program), control).verdict {
        Verdict::Safe(_) => Checked::Safe(None),
        Verdict::Unsafe(counterexample) => Checked::Violated(counterexample.execution().clone()),
        Verdict::Unknown(reason) => Checked::Unknown(reason),
    }
}
