//! `delay`: bugs within few delays of a deterministic schedule (paper 3).
//!
//! The schedulers DF(K) and DFW(K) (`scheduler`) admit more and more executions with growing K; `explore` runs them on symbolic values, for
//! K = 0, 1, 2, … . What it finds is an execution of the program itself, and is replayed. Where a path needs more instances of a
//! thread than the program was lowered with, it says so, and [`Deepening`](crate::strategy::Deepening) goes on with more of them.
//!
//! A failed assertion counts under DFW as soon as it is reached. Under DF it counts, as in the paper (R(P, Ψ) is about executions in which
//! all tasks end), if the other tasks can end within the delays too: that makes the figures of the two comparable with the paper's. For
//! DFW the difference is small, since tasks that only wait for each other end without delays.
//!
//! Invariant: `delay` says `safe` only if there was nothing to delay: wherever the search came, one thread alone could move, so the schedule
//! without delays is the only one, and all its paths were followed ([`LeftOut::nothing`]). A sequential program is the simplest case.

mod explore;
mod node;
mod points;
mod scheduler;

pub use braid_program::Scheduler;
pub use explore::{Exploration, Finished, Halt, LeftOut, Limits};
pub use points::PreemptionPoints;
pub use scheduler::{Status, TaskId, TaskTree};

use crate::deadlock::refuse;
use crate::refinement::{Refinement, traces};
use crate::{Argument, Control, Engine, Outcome, Proof, Reason, Statistics, Task, Verdict};
use braid_logic::SolverOptions;
use braid_program::cfa::{Program, Violation};
use braid_proof::ProverOptions;
use std::fmt;
use std::ops::RangeInclusive;
use std::time::Instant;

/// The bounds on choices at one place of a path, one after the other.
const BRANCHES: [u32; 3] = [4, 16, 64];
/// Steps of all paths of one search.
const STEPS: u64 = 1_000_000;

/// The engine with its options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delay {
    /// Which scheduler.
    pub scheduler: Scheduler,
    /// How many delays to try, one number after the other.
    pub delays: RangeInclusive<u32>,
    /// The solver's set-up.
    pub solver: SolverOptions,
}

impl Default for Delay {
    fn default() -> Self {
        Delay { scheduler: Scheduler::default(), delays: 0..=5, solver: SolverOptions::default() }
    }
}

impl Engine for Delay {
    fn name(&self) -> &'static str {
        "delay"
    }

    fn verify(&self, task: &Task<'_, '_>, control: &Control) -> Outcome {
        if let Some(outcome) = refuse(task, self.name()) {
            return outcome;
        }
        let start = Instant::now();
        let (statistics, left_out) = (Statistics::default(), LeftOut::default());
        let mut run = Run { engine: self, control, statistics, delays: 0, left_out, needs_instances: false };
        let verdict = match run.search(task.program) {
            Some(Verdict::Safe(proof)) => task.safe(proof.argument),
            Some(verdict) => verdict,
            None => {
                let left_out = LeftOut { instances: run.needs_instances, ..run.left_out };
                Verdict::Unknown(Reason::FewDelays(Searched { delays: *self.delays.end(), left_out }))
            }
        };
        let mut statistics = run.statistics;
        statistics.check_time = start.elapsed();
        statistics.delays = Some(run.delays);
        Outcome { verdict, statistics }
    }
}

struct Run<'a> {
    engine: &'a Delay,
    control: &'a Control,
    statistics: Statistics,
    /// The number of delays that is being tried.
    delays: u32,
    /// What the last search left out.
    left_out: LeftOut,
    /// Did any search need more instances of a thread?
    needs_instances: bool,
}

impl Run<'_> {
    /// Tries the numbers of delays, one after the other. Nothing if nothing was found.
    fn search(&mut self, program: &Program<'_>) -> Option<Verdict> {
        let prover = traces(program.pool, &ProverOptions::default());
        let mut with = match Refinement::new(program.pool, &self.engine.solver, prover, self.control) {
            Ok(refinement) => refinement,
            Err(reason) => return Some(Verdict::Unknown(reason)),
        };
        let points = PreemptionPoints::of(program);
        let mut found = None;
        for number in self.engine.delays.clone() {
            self.delays = number;
            found = self.within(program, &points, &mut with);
            self.needs_instances |= self.left_out.instances;
            // Where nobody could have been delayed once more, more delays change nothing.
            if found.is_some() || !self.left_out.delays {
                break;
            }
        }
        self.statistics.smt_queries += with.solver.statistics().queries;
        self.statistics.smt_time += with.solver.statistics().total_time();
        found
    }

    /// Looks for a violation within the current number of delays.
    fn within<'p>(
        &mut self,
        program: &Program<'p>,
        points: &PreemptionPoints,
        with: &mut Refinement<'_, 'p>,
    ) -> Option<Verdict> {
        for branches in BRANCHES {
            let limits = Limits { delays: self.delays, branches, steps: STEPS };
            let mut exploration = Exploration::new(program, points, &mut with.solver, self.control, limits);
            let ended = exploration.run(self.engine.scheduler, |_| {});
            self.statistics.rounds += 1;
            self.statistics.states = exploration.forks;
            self.statistics.transitions = exploration.steps;
            self.left_out = exploration.left_out;
            match ended {
                Ok(()) if self.left_out.nothing() => {
                    let argument = Argument::OneSchedule { paths: exploration.paths };
                    return Some(Verdict::Safe(Box::new(Proof { lowering: None, monitored: false, argument })));
                }
                Ok(()) if self.left_out.only_calls() => {
                    let clause = "calls nest deeper".to_owned();
                    return Some(Verdict::Unknown(Reason::Bound(Violation::RecursionBound, clause)));
                }
                Ok(()) if self.left_out.only_unmodelled() => {
                    let (number, span) = self.left_out.unmodelled?;
                    let clause = program.not_modelled(number, span);
                    return Some(Verdict::Unknown(Reason::Bound(Violation::Unmodelled(number), clause)));
                }
                Ok(()) if self.left_out.branches && !self.left_out.steps => {}
                Ok(()) => return None,
                Err(Halt::Stopped(reason)) => return Some(Verdict::Unknown(Reason::Stopped(reason))),
                Err(Halt::Violation(actions)) => {
                    // At a bound nothing else is violated, it would say, which nobody looked for here.
                    let ends = |state: &_| program.accepted(state).filter(|accepted| !accepted.is_bound());
                    return Some(with.confirm(program, &actions, ends));
                }
            }
        }
        None
    }
}

/// What was looked at without success.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Searched {
    /// The most delays.
    pub delays: u32,
    /// What was left out with them. Instances count if they were missing with fewer delays, too.
    pub left_out: LeftOut,
}

impl fmt::Display for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Searched { delays, left_out } = self;
        write!(f, "no violation within {delays} delay{}", if *delays == 1 { "" } else { "s" })?;
        if left_out.steps {
            write!(f, " and {STEPS} steps")?;
        } else if left_out.branches {
            write!(f, " and {} choices at one place", BRANCHES[BRANCHES.len() - 1])?;
        }
        let more = [
            (left_out.instances, "instances of threads bounded"),
            (left_out.recursion, "depth of calls bounded"),
            (left_out.undecided, "some paths undecided"),
        ];
        more.into_iter().filter(|(is_so, _)| *is_so).try_for_each(|(_, clause)| write!(f, ", {clause}"))
    }
}
