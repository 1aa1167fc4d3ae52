//! The sequential model checker under the modular algorithm (section 2): whatever can tell whether a program with one thread reaches an
//! error location, and along which path. *Invariant*: a path may be wrong without harm to verdicts, `Safe` must not.

use crate::gem::Gem;
use crate::{Control, Engine, Reason, Task, Verdict};
use braid_program::cfa::{ActionId, Program};

/// What is known of a sequential program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    /// No error location is reached.
    Safe,
    /// The actions of a violating path.
    Violated(Vec<ActionId>),
    /// Neither could be shown.
    Unknown(Reason),
}

/// Checks programs that have one thread.
pub trait SequentialChecker {
    /// Is an error location reached, and how?
    fn check(&self, program: &Program<'_>, control: &Control) -> Checked;
}

/// The built-in one: `gem`, for which one thread has one interleaving.
impl SequentialChecker for Gem {
    fn check(&self, program: &Program<'_>, control: &Control) -> Checked {
        match self.verify(&Task::new(program), control).verdict {
            Verdict::Safe(_) => Checked::Safe,
            Verdict::Unsafe(counterexample) => {
                Checked::Violated(counterexample.execution().steps.iter().map(|step| step.action).collect())
            }
            Verdict::Unknown(reason) => Checked::Unknown(reason),
        }
    }
}
