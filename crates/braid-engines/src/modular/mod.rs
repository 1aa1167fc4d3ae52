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
use crate::refinement::{Refinement, Stop, traces};
use crate::{Argument, Control, Engine, Environments, Outcome, Queries as QueryStatistics, Reason, Task};
use braid_program::cfa::{Program, ThreadId};
use braid_reduction::Target;
use built_in::BuiltIn;
use concurrent::Concurrent;
use external::Externally;
use proofs::Proven;
use query::{Halt, Queries};
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
        self.outcome(task, control).unwrap_or_else(Outcome::unknown)
    }
}

impl Modular {
    fn outcome(&self, task: &Task<'_, '_>, control: &Control) -> Result<Outcome, Reason> {
        let program = task.program;
        if let Some(name) = self.hierarchy.unknown_name(program) {
            return Err(Reason::Incomplete(format!("there is no thread {name} to put into the hierarchy")));
        }
        let mut run = Run {
            engine: self,
            program,
            control,
            refinement: self.refinement(program, control)?,
            counts: QueryStatistics::default(),
            believed: 0,
            kept: Environments::default(),
        };
        let found = run.prove();
        let QueryStatistics { checks, facts, .. } = run.counts;
        let hierarchy = run.kept.hierarchies.join("; ");
        run.refinement.statistics.rounds = checks;
        run.refinement.statistics.queries = QueryStatistics { hierarchy, ..run.counts };
        let found = found.map(|()| Argument::Modular(Environments { checks, ..run.kept }));
        Ok(run.refinement.outcome(task, found, facts as usize))
    }

    /// What sequential programs are proven with.
    fn refinement<'p>(&self, program: &Program<'p>, control: &Control) -> Result<Refinement<'p, 'p>, Reason> {
        let Gem { solver, prover, .. } = &self.sequential;
        Refinement::new(program.pool, solver, traces(program.pool, prover), control)
    }
}

struct Run<'a, 'p> {
    engine: &'a Modular,
    program: &'a Program<'p>,
    control: &'a Control,
    refinement: Refinement<'p, 'p>,
    /// What the threads asked each other so far.
    counts: QueryStatistics,
    /// How many sequential programs are safe because a command says so.
    believed: u64,
    /// What is proven so far.
    kept: Environments,
}

impl Run<'_, '_> {
    /// Checks that no target is met.
    fn prove(&mut self) -> Result<(), Stop> {
        for target in Target::all(self.program) {
            self.check(target)?;
        }
        if let (Some(command), 1..) = (&self.engine.external.command, self.believed) {
            // What a command says is no proof, and the C that it saw has integers of 64 bits.
            let reason = format!("safe if `{command}` is right about {} sequential programs", self.believed);
            return Err(Reason::Incomplete(reason).into());
        }
        Ok(())
    }

    /// Checks that a target is not met.
    fn check(&mut self, target: Target) -> Result<(), Stop> {
        let thread = target.thread().unwrap_or(ThreadId::MAIN);
        let concurrent = Concurrent::new(self.program, thread);
        if self.engine.most_threads.is_some_and(|most| concurrent.relevant.len() > most || concurrent.grows()) {
            let reason = "the program has too many threads, or starts some late".into();
            return Err(Reason::Incomplete(reason).into());
        }
        let order = self.engine.hierarchy.order(&concurrent, thread);
        let names: Vec<&str> = order.iter().map(|&thread| self.program.thread(thread).name.as_str()).collect();
        let names = names.join(" > ");
        if !self.kept.hierarchies.contains(&names) {
            self.kept.hierarchies.push(names);
        }
        let samples = Samples::new(&concurrent, &order, target, self.engine.samples, self.control)?;
        let refinement = self.engine.refinement(self.program, self.control)?;
        let inner = BuiltIn { gem: &self.engine.sequential, refinement };
        let (external, next) = (&self.engine.external, self.counts.checks);
        let mut checker = Externally { external, inner, next, believed: 0 };
        let (solver, control) = (&mut self.refinement.solver, self.control);
        let counts = self.counts.clone();
        let mut queries = Queries::new(&concurrent, &order, &mut checker, solver, control, samples, counts)?;
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
                    let facts = facts.into_iter().map(|Fact { alpha, beta }| proof::Fact {
                        thread: self.program.thread(thread).name.clone(),
                        alpha: text(alpha),
                        beta: text(beta),
                    });
                    self.kept.facts.extend(facts);
                }
                Ok(self.keep(&proven)?)
            }
            Ok(Some(trace)) => {
                let ends = |state: &_| target.accepted(self.program, state);
                Err(Stop(self.refinement.confirm(self.program, &trace, ends)))
            }
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
}
