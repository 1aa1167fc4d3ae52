//! What comes out of a verification, built so that it can be believed: `Safe` needs a proof, `Unsafe` needs an execution
//! that the interpreter has replayed, and everything else is `Unknown` with a reason.

use crate::{Proof, Reason};
use braid_program::cfa::Program;
use braid_program::{Execution, LowerOptions, ReplayError, Replayed, replay};
use braid_reduction::ConeStatistics;
use std::time::Duration;

/// The answer, and what it cost.
#[derive(Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// What it cost.
    pub statistics: Statistics,
}

impl Outcome {
    /// No answer, at no cost.
    pub fn unknown(reason: Reason) -> Outcome {
        Outcome { verdict: Verdict::Unknown(reason), statistics: Statistics::default() }
    }
}

/// The answer to "does the program's claim hold?".
#[derive(Debug)]
pub enum Verdict {
    /// It holds.
    Safe(Box<Proof>),
    /// It does not.
    Unsafe(Box<Counterexample>),
    /// Braid could not tell.
    Unknown(Reason),
}

/// An execution that violates the program's claim. It has been replayed: there is no other way to make one.
#[derive(Clone, Debug)]
pub struct Counterexample {
    execution: Execution,
    replayed: Replayed,
    lowering: Option<LowerOptions>,
}

impl Counterexample {
    /// Replays an execution; it is a counterexample if that ends in a violation.
    pub fn confirm(program: &Program<'_>, execution: Execution) -> Result<Counterexample, ReplayError> {
        let replayed = replay(program, &execution)?;
        Ok(Counterexample { execution, replayed, lowering: None })
    }

    /// The same of a program that the engine lowered itself.
    pub fn found_in(self, lowering: LowerOptions) -> Counterexample {
        Counterexample { lowering: Some(lowering), ..self }
    }

    /// How the program was lowered that it is an execution of; none: as the engine was given it.
    pub fn lowering(&self) -> Option<LowerOptions> {
        self.lowering
    }

    /// The schedule and the inputs.
    pub fn execution(&self) -> &Execution {
        &self.execution
    }

    /// The states that it goes through, and what the last one violates.
    pub fn replayed(&self) -> &Replayed {
        &self.replayed
    }
}

impl Verdict {
    /// The verdict on an execution that an engine believes to be a violation: `Unsafe` if it replays. Of the initial values,
    /// those of the program's own variables are kept: only they mean the same in every pool.
    pub fn from_execution(program: &Program<'_>, mut execution: Execution) -> Verdict {
        execution.initial.vars.retain(|&var, _| program.variables.iter().any(|variable| variable.var == var));
        match Counterexample::confirm(program, execution) {
            Ok(counterexample) => Verdict::Unsafe(Box::new(counterexample)),
            Err(error) if error.undetermined => Verdict::Unknown(Reason::Incomplete(format!(
                "a violation was found that cannot be replayed: {} in step {}",
                error.reason,
                error.step + 1
            ))),
            Err(error) => Verdict::Unknown(Reason::Internal(format!(
                "the counterexample does not replay: step {}: {}",
                error.step + 1,
                error.reason
            ))),
        }
    }
}

/// What a verification cost. Figures that mean nothing for an engine are 0.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Statistics {
    /// Rounds of refinement.
    pub rounds: u64,
    /// Assertions of the proof.
    pub proof_size: u64,
    /// States visited, in the last round if there are rounds.
    pub states: u64,
    /// Steps from a visited state to a state.
    pub transitions: u64,
    /// The length of the longest of the shortest ways to a visited state.
    pub depth: u64,
    /// Questions to solvers.
    pub smt_queries: u64,
    /// Time in solvers.
    pub smt_time: Duration,
    /// Time spent on checking proofs, or on visiting states.
    pub check_time: Duration,
    /// Time spent on finding proofs.
    pub refine_time: Duration,
    /// Time spent on successors of abstract states.
    pub successor_time: Duration,
    /// What the cone of influence left out, in all rounds.
    pub cone: ConeStatistics,
    /// What the threads of a modular proof asked each other.
    pub queries: Queries,
    /// The number of delays that was tried last.
    pub delays: Option<u32>,
}

/// What the threads of a modular proof asked each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Queries {
    /// Environment queries.
    pub asked: u64,
    /// Those of them that earlier answers or a look at the conditions settled.
    pub remembered: u64,
    /// Sequential checks, for queries and for the main thread.
    pub checks: u64,
    /// Facts about what an environment cannot do.
    pub facts: u64,
    /// The order of the threads, the main one first; several, if there are several for different errors.
    pub hierarchy: String,
}

impl Statistics {
    /// Counts what an earlier attempt at the same program cost.
    pub fn add_earlier(&mut self, earlier: &Statistics) {
        self.rounds += earlier.rounds;
        self.smt_queries += earlier.smt_queries;
        self.smt_time += earlier.smt_time;
        self.check_time += earlier.check_time;
    }

    /// Counts what one more cone left out.
    pub fn add_cone(&mut self, cone: ConeStatistics) {
        self.cone.statements += cone.statements;
        self.cone.skipped += cone.skipped;
        self.cone.havocked += cone.havocked;
        self.cone.time += cone.time;
    }
}
