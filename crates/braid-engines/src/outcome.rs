//! What comes out of a verification, built so that it can be believed: `Safe` needs a proof, `Unsafe` needs an execution
//! that the interpreter has replayed, and everything else is `Unknown` with a reason.

use crate::Reason;
use crate::modular::SequentialProof;
use braid_program::cfa::{Location, Program, ThreadId};
use braid_program::{Execution, LowerOptions, ReplayError, Replayed, replay};
use braid_reduction::ConeStatistics;
use std::fmt;
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
    Safe(Proof),
    /// It does not.
    Unsafe(Box<Counterexample>),
    /// Braid could not tell.
    Unknown(Reason),
}

/// Why a program is safe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// All reachable states were visited, and none violates the claim.
    Exhaustive {
        /// How many there are.
        states: u64,
    },
    /// No abstract state violates the claim, and they stand for all states.
    Abstraction {
        /// The abstract domain.
        domain: String,
        /// How many predicates or variables are in the precision.
        precision: u64,
        /// How many abstract states there are.
        states: u64,
    },
    /// Assertions prove every interleaving of a reduction, and each other one is equivalent to one of those.
    Reduction {
        /// How many assertions.
        assertions: u64,
        /// The preference order of the reduction.
        order: String,
        /// What the proof says where, if that was asked for.
        explanation: Option<Explanation>,
    },
    /// Sequential checks, one thread at a time, show that no violation is reached, whatever the other threads do that they can.
    Modular {
        /// How many sequential checks.
        checks: u64,
        /// How many facts about environments.
        facts: u64,
        /// The order of the threads, the main one first.
        hierarchy: String,
        /// For each claim and thread the last sequential program that was proven, and its proof.
        programs: Vec<SequentialProof>,
    },
    /// Nowhere can more than one thread move, and no path of this one schedule violates the claim.
    OneSchedule {
        /// How many paths there are.
        paths: u64,
    },
    /// Threads take locks and wait for each other's ends in an order that has no cycles, so nobody waits for ever.
    LockOrder {
        /// How many locks.
        locks: u64,
        /// How many places where a thread can wait.
        places: u64,
        /// How many things are wanted there.
        edges: u64,
    },
    /// Facts about one thread, and about any two, are kept by every step of any thread, and exclude errors. Of some threads there may be any
    /// number.
    ThreadModular {
        /// The threads that stand for any number of like ones.
        many: Vec<String>,
        /// The facts.
        invariants: Vec<Invariant>,
    },
    /// Assertions prove every interleaving of some sleep set reduction, and each other one is equivalent to one of those.
    SomeReduction {
        /// How many assertions.
        assertions: u64,
    },
}

/// What holds of any thread at a place, or of any two threads at two places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// One place or two: the thread that stands for all like it, and where it is.
    pub places: Vec<(ThreadId, Location)>,
    /// What holds, in infix form. Variables of the second thread end in `#1`.
    pub formulas: Vec<String>,
}

/// A proof as people read it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The assertions that the proof needs, in infix form.
    pub assertions: Vec<String>,
    /// How many states of the reduction it covers.
    pub states: u64,
    /// For each thread: for each location that it is at in some state, the assertions that hold in all such states, as
    /// indices.
    pub threads: Vec<Vec<(Location, Vec<usize>)>>,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Proof::Exhaustive { states: 1 } => f.write_str("the only reachable state does not violate the claim"),
            Proof::Exhaustive { states } => write!(f, "none of the {states} reachable states violates the claim"),
            Proof::Abstraction { domain, precision, states } => {
                write!(f, "none of the {states} abstract states ({domain}, precision {precision}) violates the claim")
            }
            Proof::Reduction { assertions, order, .. } => {
                write!(f, "{assertions} assertions prove the interleavings that the order {order} prefers")
            }
            Proof::Modular { checks, facts, hierarchy, .. } => {
                write!(f, "{checks} sequential checks and {facts} facts about environments prove {hierarchy}")
            }
            Proof::OneSchedule { paths: 1 } => {
                f.write_str("threads can run in one order only, and the only path does not violate the claim")
            }
            Proof::OneSchedule { paths } => {
                write!(f, "threads can run in one order only, and none of the {paths} paths violates the claim")
            }
            Proof::LockOrder { locks, places, .. } => {
                write!(f, "no cycle of waiting threads can come about at {places} places with {locks} locks")
            }
            Proof::ThreadModular { many, invariants } => {
                let facts: usize = invariants.iter().map(|invariant| invariant.formulas.len()).sum();
                match many.is_empty() {
                    true => write!(f, "{facts} facts about one thread and about two exclude all errors"),
                    false => write!(
                        f,
                        "{facts} facts about one thread and about two exclude all errors, for any number of threads"
                    ),
                }
            }
            Proof::SomeReduction { assertions } => {
                write!(f, "{assertions} assertions prove an interleaving of each class of equivalent ones")
            }
        }
    }
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
