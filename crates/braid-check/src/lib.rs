//! Certificates: what a `safe` rests on, as a text that is checked from nothing.
//!
//! * [`Certificate`] is the data, [`read`] and its `Display` are the text.
//! * [`check`] says whether it proves a program. No engine takes part, and a solver without Braid's own tiers decides every
//!   triple and every pair of actions that is said to commute.
//!
//! *Invariant*: nothing that a certificate says is believed. What makes a wrong certificate pass is a fault in this crate, in the front end,
//! in lowering, in the two rules that are used of `braid-reduction` (when actions commute, what a membrane is), or in the solver.

mod certificate;
mod graph;
mod owicki_gries;
mod states;
mod text;
pub mod threads;

pub use certificate::{Annotation, Argument, Certificate, Graph, GraphState, Identity, ThreadFacts};
pub use graph::assertions;
pub use owicki_gries::location_of;
pub use text::read;

use braid_logic::{Solver, SolverOptions, Sort, TermPool, Var};
use braid_program::cfa::Program;
use std::fmt;

/// Why a certificate is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It is no proof: what fails, in a sentence.
    Wrong(String),
    /// The check was stopped.
    Stopped,
    /// There is no solver to check it with.
    NoSolver(String),
}

impl Refusal {
    fn new(why: impl Into<String>) -> Refusal {
        Refusal::Wrong(why.into())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Wrong(why) | Refusal::NoSolver(why) => f.write_str(why),
            Refusal::Stopped => f.write_str("The check was stopped."),
        }
    }
}

/// A ghost variable, with the same name in every pool that holds the same program: not one of the program's own, whatever these are called.
fn ghost(pool: &TermPool, name: &str, sort: Sort, is_own: impl Fn(Var) -> bool) -> Var {
    let mut name = name.to_owned();
    while pool
        .find_var(&name)
        .is_some_and(|var| is_own(var) || pool.origin(var).is_some() || pool.var_sort(var) != sort)
    {
        name.push('\'');
    }
    pool.var(&name, sort)
}

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// States of the certificate, or of the program.
    pub states: u64,
    /// Steps between them.
    pub steps: u64,
    /// Questions to the solver.
    pub queries: u64,
}

/// Does the argument prove the claim of the program? `goes_on` is asked now and then; if it says no, the check is given up.
pub fn check<'p>(
    program: &Program<'p>,
    argument: &Argument,
    solver: SolverOptions,
    goes_on: &dyn Fn() -> bool,
) -> Result<Checked, Refusal> {
    if program.deadlock_is_violation || program.livelock_is_violation {
        return Err(Refusal::new("Certificates of the absence of deadlocks and livelocks are not known."));
    }
    let solver = || {
        let options = SolverOptions { native: false, ..solver };
        Solver::new(program.pool, options).map_err(|error| Refusal::NoSolver(error.to_string()))
    };
    let has_templates = program.threads.iter().any(|thread| thread.template.is_some());
    match argument {
        Argument::Threads { counters, numbers, facts } => {
            threads::check(program, solver()?, (*counters, *numbers), facts, goes_on)
        }
        // One thread of a template stands for any number: what it does alone proves nothing of the others.
        _ if has_templates => Err(Refusal::new("Templates of threads need facts about threads.")),
        Argument::Reduction { assertions, graphs } => graph::check(program, solver()?, assertions, graphs, goes_on),
        Argument::OwickiGries { annotations } => owicki_gries::check(program, solver()?, annotations, goes_on),
        Argument::States { count } => states::check(program, *count, goes_on),
    }
}
