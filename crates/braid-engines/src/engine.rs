//! What every engine is: a function from a task to an outcome, under a control.

use crate::{Argument, Control, Outcome, Proof, Seat, Verdict};
use braid_program::cfa::Program;
use braid_program::{LowerOptions, ast};
use std::cell::RefCell;

/// A way to verify programs.
pub trait Engine {
    /// The name that the command line knows it by.
    fn name(&self) -> &'static str;

    /// Verifies a program. Polls `control`, and stops within a second of being told to.
    fn verify(&self, task: &Task<'_, '_>, control: &Control) -> Outcome;
}

/// What is to be verified, and what every engine may use for it.
pub struct Task<'a, 'p> {
    /// The program.
    pub program: &'a Program<'p>,
    /// A place at the board where engines that run side by side share assertions.
    pub seat: Option<RefCell<Seat>>,
    /// What the program was lowered from, for engines that lower it in other ways too.
    pub structured: Option<Structured<'a>>,
}

/// A structured program, and how it was lowered.
#[derive(Clone, Copy, Debug)]
pub struct Structured<'a> {
    /// The program.
    pub program: &'a ast::Program,
    /// How.
    pub lowering: LowerOptions,
}

impl<'a, 'p> Task<'a, 'p> {
    /// The program's own claim, for an engine that works alone.
    pub fn new(program: &'a Program<'p>) -> Self {
        Task { program, seat: None, structured: None }
    }

    /// The program is safe, and why.
    pub(crate) fn safe(&self, argument: Argument) -> Verdict {
        let lowering = self.structured.map(|structured| structured.lowering);
        Verdict::Safe(Box::new(Proof { lowering, monitored: false, argument }))
    }
}
