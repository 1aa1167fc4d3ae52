//! Sequentialization of asynchronous programs (paper 3, Section 5): Σ(P, K), a sequential program whose executions are those of P under a
//! scheduler that delays tasks at most K times.
//!
//! Rounds are run side by side. Every shared variable has a copy for each of the K + 1 rounds, and a task accesses the copy of the
//! round that it is in. Who starts a task calls it at once, on copies that say what the shared variables will be when it is
//! the task's turn in each round; what it leaves behind is guessed before, and compared afterwards. A delay moves on to the
//! next round.
//!
//! * [`Scheduler::Dfw`] is Figure 6. Tasks have numbers; the round in which a task ended and its results are kept by its number.
//! * [`Scheduler::Df`] is its predecessor, behind the translation of Figure 7 that makes global variables of results (`waits`).
//!
//! An assertion that fails sets the shared variable `exit` and ends its task. Under DFW that ends all other tasks where they next look at
//! shared variables, so that the execution can finish; under DF, as in the paper's experiments, the other tasks have to finish
//! as they would anyway. The sequential program asserts that `exit` is not set in the end.
//!
//! What the figure leaves open: a task may be delayed several times at one place, as the schedulers allow.

mod build;
mod rounds;
mod tasks;
mod translate;
mod turn;
mod waits;

use braid_program::ast::{Program, VarId};
use braid_program::{Diagnostic, Diagnostics, Scheduler};

/// A sequential program.
#[derive(Clone, Debug)]
pub struct Sequential {
    /// The program. It starts no threads.
    pub program: Program,
    /// For each shared variable of the original, the one that holds its last value when the program ends: `Next[K]`.
    pub last: Vec<(VarId, VarId)>,
}

/// Σ(P, K): what the scheduler admits within a number of delays, as a sequential program.
pub fn sequentialize(program: &Program, scheduler: Scheduler, delays: u32) -> Result<Sequential, Diagnostics> {
    let fail = |error: Diagnostic| Diagnostics { sources: program.sources.clone(), errors: vec![error] };
    let turn = turn::turn(program);
    let without_waits;
    let waiting = match scheduler {
        Scheduler::Dfw => program,
        Scheduler::Df => {
            without_waits = waits::without_waits(program);
            &without_waits
        }
    };
    translate::translate(waiting, scheduler, turn, delays).map_err(fail)
}
