//! `delay`: bugs within few delays of a deterministic schedule (paper 3).
//!
//! The schedulers DF(K) and DFW(K) (`scheduler`) admit more and more executions with growing K; `explore` runs them on symbolic values, for
//! K = 0, 1, 2, … . What it finds is an execution of the program itself, and is replayed. Where a path needs more instances of a
//! thread than the program was lowered with, it is lowered again with more of them.
//!
//! A failed assertion counts under DFW as soon as it is reached. Under DF it counts, as in the paper (R(P, Ψ) is about executions in which
//! all tasks end), if the other tasks can end within the delays too: that makes the figures of the two comparable with the paper's. For
//! DFW the difference is small, since tasks that only wait for each other end without delays.
//!
//! Invariant: `delay` never says `safe`. Executions with more delays are not looked at.

mod explore;
mod points;
pub mod reference;
mod scheduler;

pub use explore::{Exploration, Finished, Halt, LeftOut, Limits};
pub use points::PreemptionPoints;
pub use braid_transform::delay::Scheduler;
pub use scheduler::{Status, TaskId, TaskTree};

use crate::refinement::{Stop, refute};
use crate::{Control, Engine, Outcome, Reason, Statistics, Task, Verdict};
use braid_logic::{Solver, SolverOptions, TermPool};
use braid_program::cfa::{ActionId, Program};
use braid_program::{LowerOptions, lower};
use braid_proof::{ProverOptions, TraceProver};
use std::time::Instant;

/// The bounds on choices at one place of a path, one after the other.
const BRANCHES: [u32; 3] = [4, 16, 64];
/// Steps of all paths of one search.
const STEPS: u64 = 1_000_000;
/// The next attempt has this many times as many instances, but never more than [`MOST_INSTANCES`].
const MORE_INSTANCES: u32 = 4;
const MOST_INSTANCES: u32 = 1_000;

/// The engine with its options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delay {
    /// Which scheduler.
    pub scheduler: Scheduler,
    /// The most delays to try.
    pub delays: u32,
    /// The solver's set-up.
    pub solver: SolverOptions,
}

impl Default for Delay {
    fn default() -> Self {
        Delay { scheduler: Scheduler::default(), delays: 5, solver: SolverOptions::default() }
    }
}

impl Engine for Delay {
    fn name(&self) -> &'static str {
        "delay"
    }

    fn verify(&self, task: &Task<'_, '_>, control: &Control) -> Outcome {
        let start = Instant::now();
        let mut run =
            Run { engine: self, control, statistics: Statistics::default(), delays: 0, left_out: LeftOut::default() };
        let mut ended = run.search(task.program);
        let mut lowering = task.structured.map(|structured| structured.lowering);
        while let (End::NeedsInstances, Some(structured), Some(used)) = (&ended, task.structured, lowering) {
            if used.instances >= MOST_INSTANCES {
                // There is no more to try with more instances, but with more delays.
                run.delays += 1;
                if run.delays > self.delays {
                    break;
                }
            }
            let instances = used.instances.saturating_mul(MORE_INSTANCES).min(MOST_INSTANCES);
            // With many threads fusing takes longer than what it saves.
            let more = LowerOptions { instances, fuse: false, ..used };
            let pool = TermPool::new();
            let Ok(program) = lower(structured.program, &pool, more) else { break };
            lowering = Some(more);
            ended = run.search(&program);
        }
        let verdict = match ended {
            End::Verdict(Verdict::Unsafe(counterexample)) => Verdict::Unsafe(match lowering {
                Some(lowering) => Box::new(counterexample.found_in(lowering)),
                None => counterexample,
            }),
            End::Verdict(verdict) => verdict,
            End::NeedsInstances | End::Nothing => Verdict::Unknown(Reason::Incomplete(run.nothing_found())),
        };
        let mut statistics = run.statistics;
        statistics.check_time = start.elapsed();
        statistics.delays = Some(run.delays.min(self.delays));
        Outcome { verdict, statistics }
    }
}

/// How the search through one lowered program ends.
enum End {
    Verdict(Verdict),
    /// With more instances more can be found with the same number of delays.
    NeedsInstances,
    /// Up to the greatest number of delays nothing was found.
    Nothing,
}

struct Run<'a> {
    engine: &'a Delay,
    control: &'a Control,
    statistics: Statistics,
    /// The number of delays that is being tried.
    delays: u32,
    /// What the last search left out.
    left_out: LeftOut,
}

impl Run<'_> {
    /// Tries more and more delays, from the current number on.
    fn search(&mut self, program: &Program<'_>) -> End {
        let mut solver = match Solver::new(program.pool, self.engine.solver.clone()) {
            Ok(solver) => solver,
            Err(error) => return End::Verdict(Verdict::Unknown(Reason::Incomplete(error.to_string()))),
        };
        self.control.may_interrupt(solver.interrupter());
        let points = PreemptionPoints::of(program);
        let end = loop {
            if let Some(verdict) = self.within(program, &points, &mut solver) {
                break End::Verdict(verdict);
            }
            if self.left_out.instances {
                break End::NeedsInstances;
            }
            if self.delays >= self.engine.delays || !self.left_out.delays {
                self.delays = self.engine.delays;
                break End::Nothing;
            }
            self.delays += 1;
        };
        self.statistics.smt_queries += solver.statistics().queries;
        self.statistics.smt_time += solver.statistics().total_time();
        end
    }

    /// Looks for a violation within the current number of delays.
    fn within<'p>(
        &mut self,
        program: &Program<'p>,
        points: &PreemptionPoints,
        solver: &mut Solver<'p>,
    ) -> Option<Verdict> {
        for branches in BRANCHES {
            let limits = Limits { delays: self.delays, branches, steps: STEPS };
            let mut exploration = Exploration::new(program, points, solver, self.control, limits);
            let ended = exploration.run(self.engine.scheduler, |_| {});
            self.statistics.rounds += 1;
            self.statistics.states = exploration.forks;
            self.statistics.transitions = exploration.steps;
            self.left_out = exploration.left_out;
            match ended {
                Ok(()) if self.left_out.branches && !self.left_out.steps => {}
                Ok(()) => return None,
                Err(Halt::Stopped(reason)) => return Some(Verdict::Unknown(Reason::Stopped(reason))),
                Err(Halt::Violation(actions)) => return Some(confirm(program, solver, &actions)),
            }
        }
        None
    }

    /// What was looked at without success, as a clause.
    fn nothing_found(&self) -> String {
        let plural = |number: u32, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        let mut clause = format!("no violation within {}", plural(self.engine.delays, "delay"));
        if self.left_out.steps {
            clause.push_str(&format!(" and {STEPS} steps"));
        } else if self.left_out.branches {
            clause.push_str(&format!(" and {} choices at one place", BRANCHES[BRANCHES.len() - 1]));
        }
        if self.left_out.instances {
            clause.push_str(", instances of threads bounded");
        }
        if self.left_out.recursion {
            clause.push_str(", depth of calls bounded");
        }
        if self.left_out.undecided {
            clause.push_str(", some paths undecided");
        }
        clause
    }
}

/// Replays the actions that lead to a violation, with values for what they leave open.
fn confirm<'p>(program: &Program<'p>, solver: &mut Solver<'p>, actions: &[ActionId]) -> Verdict {
    let internal = |what: &str| Verdict::Unknown(Reason::Internal(what.into()));
    let mut state = program.initial_state();
    for &action in actions {
        if !program.is_enabled(&state, program.action(action)) {
            return internal("the scheduler runs a thread that is not there");
        }
        state = program.successor(&state, action);
    }
    let Some(accepted) = program.accepted(&state) else { return internal("the schedule ends without a violation") };
    let mut prover = TraceProver::new(program.pool, ProverOptions::default());
    match refute(program, solver, &mut prover, actions, accepted) {
        Err(Stop::Verdict(verdict)) => verdict,
        Err(Stop::Bound(_)) => internal("the schedule ends at a bound"),
        Ok(annotations) if annotations.is_empty() => {
            Verdict::Unknown(Reason::Incomplete("whether a violation happens could not be found out".into()))
        }
        Ok(_) => internal("the schedule cannot happen"),
    }
}
