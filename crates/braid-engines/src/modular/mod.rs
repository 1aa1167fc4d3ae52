//! `modular`: a series of sequential checks, one thread at a time (paper 2).
//!
//! The thread whose errors are looked for is checked alone, its environment being any change of what others write; what the environment
//! cannot do is found out by need, by queries that are answered the same way one level further down (`query`). The sequential programs are
//! automata with one thread (`sequential`), checked by a [`SequentialChecker`].
//!
//! Invariant: a violation is only said after the interleaving that the promises make was replayed on the concurrent program.

mod analysis;
mod around;
mod builder;
mod built_in;
mod c_text;
mod checker;
mod concurrent;
mod conditions;
mod environment;
mod external;
mod generalise;
mod hierarchy;
mod invariants;
mod outline;
mod proofs;
mod query;
mod samples;
mod saturation;
mod sequential;

pub use checker::{Checked, SequentialChecker};
pub use external::External;
pub use hierarchy::Hierarchy;
pub use outline::{Annotation, Outline};

use crate::deadlock::refuse;
use crate::gem::Gem;
use crate::proof;
use crate::refinement::{Stop, refute};
use crate::{
    Argument, Control, Engine, Environments, Outcome, Queries as QueryStatistics, Reason, Statistics, Task, Verdict,
};
use braid_logic::Solver;
use braid_program::cfa::{ActionId, Program, ThreadId};
use braid_proof::TraceProver;
use braid_reduction::Target;
use built_in::BuiltIn;
use concurrent::Concurrent;
use external::Externally;
use proofs::Proven;
use query::{Counts, Halt, Queries};
use samples::Samples;
use sequential::{Fact, Question};

/// The engine with its options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Modular {
    /// How the threads are ordered.
    pub hierarchy: Hierarchy,
    /// The sequential checker.
    pub sequential: Gem,
    /// One that is asked before it.
    pub external: External,
    /// How many computations are drawn at random: they answer queries, and suggest invariants.
    pub samples: usize,
    /// Programs with more threads than this, or with threads that start when others run already, are left to other engines.
    pub most_threads: Option<usize>,
}

impl Default for Modular {
    fn default() -> Self {
        let (sequential, external) = (Gem::default(), External::default());
        Modular { hierarchy: Hierarchy::Auto, sequential, external, samples: 48, most_threads: None }
    }
}

impl Engine for Modular {
    fn name(&self) -> &'static str {
        "modular"
    }

    fn verify(&self, task: &Task<'_, '_>, control: &Control) -> Outcome {
        if let Some(outcome) = refuse(task, self.name()) {
            return outcome;
        }
        let program = task.program;
        if let Some(name) = self.hierarchy.unknown_name(program) {
            return Outcome::unknown(Reason::Incomplete(format!(
                "there is no thread {name} to put into the hierarchy"
            )));
        }
        let solver = match Solver::new(program.pool, self.sequential.solver.clone()) {
            Ok(solver) => solver,
            Err(error) => return Outcome::unknown(Reason::Incomplete(error.to_string())),
        };
        control.may_interrupt(solver.interrupter());
        let mut run = Run {
            engine: self,
            program,
            control,
            solver,
            counts: Counts::default(),
            believed: 0,
            kept: Environments::default(),
        };
        let targets = run.targets();
        let hierarchy = run.kept.hierarchies.join("; ");
        let verdict = match targets {
            Ok(()) => task.safe(Argument::Modular(Environments { checks: run.counts.checks, ..run.kept })),
            Err(Stop(verdict)) => verdict,
        };
        let mut statistics =
            Statistics { rounds: run.counts.checks, proof_size: run.counts.facts, ..Statistics::default() };
        statistics.smt_queries = run.solver.statistics().queries;
        statistics.smt_time = run.solver.statistics().total_time();
        let Counts { queries, remembered, checks, facts } = run.counts;
        statistics.queries = QueryStatistics { asked: queries, remembered, checks, facts, hierarchy };
        Outcome { verdict, statistics }
    }
}

struct Run<'a, 'p> {
    engine: &'a Modular,
    program: &'a Program<'p>,
    control: &'a Control,
    solver: Solver<'p>,
    counts: Counts,
    /// How many sequential programs are safe because a command says so.
    believed: u64,
    /// What is proven so far.
    kept: Environments,
}

impl Run<'_, '_> {
    /// Checks that no target is met.
    fn targets(&mut self) -> Result<(), Stop> {
        for target in Target::all(self.program) {
            self.check(target)?;
        }
        if let (Some(command), 1..) = (&self.engine.external.command, self.believed) {
            // What a command says is no proof, and the C that it saw has integers of 64 bits.
            let reason = format!("safe if `{command}` is right about {} sequential programs", self.believed);
            return Err(Stop(Verdict::Unknown(Reason::Incomplete(reason))));
        }
        Ok(())
    }

    /// Checks that a target is not met.
    fn check(&mut self, target: Target) -> Result<(), Stop> {
        let thread = target.thread().unwrap_or(ThreadId::MAIN);
        let concurrent = Concurrent::new(self.program, thread);
        if self.engine.most_threads.is_some_and(|most| concurrent.relevant.len() > most || concurrent.grows()) {
            let reason = "the program has too many threads, or starts some late".into();
            return Err(Stop(Verdict::Unknown(Reason::Incomplete(reason))));
        }
        let order = self.engine.hierarchy.order(&concurrent, thread);
        let names: Vec<&str> = order.iter().map(|&thread| self.program.thread(thread).name.as_str()).collect();
        let names = names.join(" > ");
        if !self.kept.hierarchies.contains(&names) {
            self.kept.hierarchies.push(names);
        }
        let samples = Samples::new(&concurrent, &order, target, self.engine.samples, self.control)?;
        let solver = match Solver::new(self.program.pool, self.engine.sequential.solver.clone()) {
            Ok(solver) => solver,
            Err(error) => return Err(Stop(Verdict::Unknown(Reason::Incomplete(error.to_string())))),
        };
        self.control.may_interrupt(solver.interrupter());
        let inner = BuiltIn::new(&self.engine.sequential, solver, self.program);
        let (external, next) = (&self.engine.external, self.counts.checks);
        let mut checker = Externally { external, inner, next, believed: 0 };
        let (solver, control) = (&mut self.solver, self.control);
        let mut queries = Queries::new(&concurrent, &order, &mut checker, solver, control, samples, self.counts)?;
        let found = queries.check(0, Question::Error(target), u64::MAX);
        self.counts = queries.counts;
        let (facts, always) = (queries.facts, queries.invariants);
        let proven = queries.proven;
        self.believed += checker.believed;
        match found {
            Ok(None) => {
                let text = |term| self.program.pool.display(term).to_string();
                self.kept.invariants.extend(always.all().iter().map(|&term| text(term)));
                for (&thread, facts) in order.iter().zip(facts) {
                    let thread = &self.program.thread(thread).name;
                    let fact = |Fact { alpha, beta }| (thread.clone(), text(alpha), text(beta));
                    let facts = facts.into_iter().map(fact);
                    self.kept.facts.extend(facts.map(|(thread, alpha, beta)| proof::Fact { thread, alpha, beta }));
                }
                self.keep(&proven).map_err(|reason| Stop(Verdict::Unknown(reason)))
            }
            Ok(Some(trace)) => Err(self.confirm(target, &trace)),
            Err(Halt::Stop(stop)) => Err(stop),
            Err(Halt::Budget) => unreachable!("there is no limit"),
        }
    }

    /// Keeps what was proven: as data, and where the user wants it.
    fn keep(&mut self, proven: &[Option<Proven<'_>>]) -> Result<(), Reason> {
        for proven in proven.iter().flatten() {
            let number = self.kept.programs.len() + 1;
            self.engine.external.keep_proof(number, &proven.sequential.program, proven.annotation.as_deref())?;
            self.kept.programs.push(proven.text());
        }
        Ok(())
    }

    /// What the promised violation is on the concurrent program.
    fn confirm(&mut self, target: Target, trace: &[ActionId]) -> Stop {
        let mut state = self.program.initial_state();
        for &action in trace {
            if !self.program.is_enabled(&state, self.program.action(action)) {
                return internal("a promised violation takes an action where the threads are not");
            }
            state = self.program.successor(&state, action);
        }
        let Some(accepted) = target.accepted(self.program, &state) else {
            return internal("a promised violation ends somewhere else");
        };
        let mut prover = TraceProver::new(self.program.pool, self.engine.sequential.prover.clone());
        match refute(self.program, &mut self.solver, &mut prover, trace, accepted) {
            Err(stop) => stop,
            Ok(annotations) if annotations.is_empty() => {
                let reason = "whether a promised violation happens could not be found out".into();
                Stop(Verdict::Unknown(Reason::Incomplete(reason)))
            }
            Ok(_) => internal("a promised violation cannot happen"),
        }
    }
}

fn internal(what: &str) -> Stop {
    Stop(Verdict::Unknown(Reason::Internal(what.into())))
}
