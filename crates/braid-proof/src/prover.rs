//! The trace prover: a model of a trace, or assertions that show why it cannot happen.
//!
//! Strategies are tried in the given order. What a strategy offers is generalised and then validated: the first
//! assertion is `true`, the last is `false`, and each triple in between holds. What does not validate is dropped.

use crate::trace::{Feasible, Trace};
use crate::triple::triple;
use crate::{constants, core, farkas, generalise, horn, path};
use braid_logic::{Answer, Solver, Term, TermPool, Validity, Var};
use std::time::{Duration, Instant};

/// A way to find assertions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Strategy {
    /// Unsatisfiable core of the guards, then weakest preconditions backwards.
    Core,
    /// Farkas coefficients of linear cores, summed over suffixes, with case splits.
    Linear,
    /// As `Core`, with the values put in that the trace itself fixes.
    Constants,
    /// Recursion-free Horn clauses, solved by Z3's Spacer.
    Horn,
    /// Invariants of the loops that the trace went through.
    Path,
}

impl Strategy {
    /// All strategies, those with the fewest assertions first among the cheap ones.
    pub const ALL: [Strategy; 5] =
        [Strategy::Path, Strategy::Linear, Strategy::Core, Strategy::Constants, Strategy::Horn];

    /// The name that options and statistics use.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Core => "core",
            Strategy::Linear => "linear",
            Strategy::Constants => "constants",
            Strategy::Horn => "horn",
            Strategy::Path => "path",
        }
    }
}

/// Which contradiction of a trace that has several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contradiction {
    /// The one that is complete first: whatever begins the same way is refuted too.
    First,
    /// The one that begins last: it is about what the trace leads to.
    Last,
}

/// How to prove traces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProverOptions {
    /// What to try, in this order.
    pub strategies: Vec<Strategy>,
    /// How many strategies' annotations to collect before stopping; at least 1.
    pub annotations: usize,
    /// Simplify what strategies offer.
    pub generalise: bool,
    /// What to look at in a trace.
    pub contradiction: Contradiction,
}

impl Default for ProverOptions {
    fn default() -> Self {
        ProverOptions {
            strategies: Strategy::ALL.to_vec(),
            annotations: 1,
            generalise: true,
            contradiction: Contradiction::First,
        }
    }
}

/// One assertion for each position of a trace, validated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// Who found it.
    pub strategy: Strategy,
    /// The assertions: `true` first, `false` last, each a consequence of the one before and the step between.
    pub assertions: Vec<Term>,
}

impl Annotation {
    /// The different assertions.
    pub fn distinct(&self) -> Vec<Term> {
        let mut distinct = self.assertions.clone();
        distinct.sort_unstable();
        distinct.dedup();
        distinct
    }
}

/// What is known of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceOutcome {
    /// It happens under these values.
    Feasible(Feasible),
    /// It cannot happen, and here is why: one or more annotations.
    Infeasible(Vec<Annotation>),
    /// Neither could be shown.
    Unknown(UnknownTrace),
}

/// Why nothing is known of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownTrace {
    /// The solver could not tell whether it can happen.
    Feasibility,
    /// It cannot happen, but no strategy found assertions that validate.
    Assertions,
}

/// How one strategy did so far.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StrategyStatistics {
    /// Traces it was asked about.
    pub tried: u64,
    /// Traces it annotated.
    pub proven: u64,
    /// Annotations that did not validate.
    pub invalid: u64,
    /// Distinct assertions, summed over its annotations.
    pub assertions: u64,
    /// Time spent, with generalisation and validation.
    pub time: Duration,
}

/// Finds out whether a trace can happen, and why not. Engines that learn from traces take any; whoever implements it answers for
/// `Annotation` being valid.
pub trait ProveTraces<'p> {
    /// What is known of the trace.
    fn prove(&mut self, solver: &mut Solver<'p>, trace: &Trace<'_>) -> TraceOutcome;
}

/// Proves traces of one pool's programs, by a chain of strategies.
pub struct TraceProver<'p> {
    pool: &'p TermPool,
    options: ProverOptions,
    statistics: Vec<(Strategy, StrategyStatistics)>,
}

impl<'p> TraceProver<'p> {
    /// A prover with the given options.
    pub fn new(pool: &'p TermPool, options: ProverOptions) -> Self {
        let statistics = options.strategies.iter().map(|&s| (s, StrategyStatistics::default())).collect();
        TraceProver { pool, options, statistics }
    }

    /// How each strategy did so far.
    pub fn statistics(&self) -> &[(Strategy, StrategyStatistics)] {
        &self.statistics
    }

    fn try_strategy(
        &mut self,
        solver: &mut Solver<'p>,
        trace: &Trace<'_>,
        core: &core::Core,
        number: usize,
    ) -> Option<Annotation> {
        let strategy = self.options.strategies[number];
        let mut assertions = match strategy {
            Strategy::Core => core::annotate(solver, self.pool, trace, core)?,
            Strategy::Linear => farkas::annotate(self.pool, trace, core)?,
            Strategy::Constants => constants::annotate(solver, self.pool, trace, core)?,
            Strategy::Horn => horn::annotate(solver, self.pool, trace)?,
            Strategy::Path => path::annotate(solver, self.pool, trace)?,
        };
        forget_choices(solver, self.pool, trace, &mut assertions)?;
        if self.options.generalise {
            generalise::generalise(solver, self.pool, trace, &mut assertions);
        }
        if !is_valid(solver, self.pool, trace, &assertions) {
            self.statistics[number].1.invalid += 1;
            return None;
        }
        Some(Annotation { strategy, assertions })
    }
}

impl<'p> ProveTraces<'p> for TraceProver<'p> {
    fn prove(&mut self, solver: &mut Solver<'p>, trace: &Trace<'_>) -> TraceOutcome {
        let condition = trace.path_condition(self.pool);
        let all: Vec<Term> = condition.iter().flatten().copied().collect();
        let core = match solver.check_assuming(&all) {
            Answer::Unknown => return TraceOutcome::Unknown(UnknownTrace::Feasibility),
            Answer::Sat => {
                return match solver.model() {
                    Some(model) => TraceOutcome::Feasible(trace.feasible(self.pool, model)),
                    None => TraceOutcome::Unknown(UnknownTrace::Feasibility),
                };
            }
            Answer::Unsat => match self.options.contradiction {
                Contradiction::First => core::Core::of(solver, &condition),
                Contradiction::Last => core::Core::late(solver, &condition),
            },
        };
        let mut annotations = Vec::new();
        for number in 0..self.options.strategies.len() {
            let start = Instant::now();
            let annotation = self.try_strategy(solver, trace, &core, number);
            let statistics = &mut self.statistics[number].1;
            statistics.tried += 1;
            statistics.time += start.elapsed();
            if let Some(annotation) = annotation {
                statistics.proven += 1;
                statistics.assertions += annotation.distinct().len() as u64;
                annotations.push(annotation);
                if annotations.len() >= self.options.annotations {
                    break;
                }
            }
        }
        if annotations.is_empty() {
            return TraceOutcome::Unknown(UnknownTrace::Assertions);
        }
        TraceOutcome::Infeasible(annotations)
    }
}

/// Makes assertions speak of states only: one that mentions a value which a later havoc will choose becomes what it says of all such
/// values. Triples stay valid, since no step before that havoc knows the value.
fn forget_choices(solver: &mut Solver<'_>, pool: &TermPool, trace: &Trace<'_>, assertions: &mut [Term]) -> Option<()> {
    let choices: Vec<Var> = trace.steps().flat_map(|step| step.choices.iter().copied()).collect();
    for assertion in assertions {
        *assertion = core::for_all(solver, pool, &choices, *assertion)?;
    }
    Some(())
}

/// Do the assertions prove that the trace cannot happen? Both ends and each triple are checked.
pub(crate) fn is_valid(solver: &mut Solver<'_>, pool: &TermPool, trace: &Trace<'_>, assertions: &[Term]) -> bool {
    assertions.len() == trace.len() + 1
        && assertions[0] == Term::TRUE
        && assertions[trace.len()] == Term::FALSE
        && trace
            .steps()
            .enumerate()
            .all(|(k, step)| triple(solver, pool, assertions[k], step, assertions[k + 1]) == Validity::Valid)
}
