//! Algorithm 1 and environment queries (section 5), for any number of threads.
//!
//! Both are one loop: check the sequential program of a thread; where a violating path has an `env_move`, ask the environment about the
//! last one (`analysis`). The environment is asked by the same loop, one level further down (`environment`).

use super::analysis::{Analysis, Violation};
use super::checker::{Checked, SequentialChecker};
use super::concurrent::Concurrent;
use super::invariants::Invariants;
use super::proofs::Proven;
use super::samples::Samples;
use super::sequential::{Fact, OutOfReach, Parts, Promise, Question, Sequential};
use crate::refinement::Stop;
use crate::{Control, Progress, Queries as QueryStatistics, Reason, StopReason};
use braid_logic::{Solver, Term};
use braid_program::cfa::{ActionId, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Why a query is not answered.
pub(super) enum Halt {
    Stop(Stop),
    /// It was allowed only so many checks.
    Budget,
}

impl<T: Into<Stop>> From<T> for Halt {
    fn from(stop: T) -> Halt {
        Halt::Stop(stop.into())
    }
}

pub(super) fn incomplete(why: &str) -> Halt {
    Reason::incomplete(why).into()
}

/// A trace of the environment, if it can do what it was asked about.
pub(super) type Answered = Result<Option<Vec<ActionId>>, Halt>;

/// The modular algorithm on one target.
pub(super) struct Queries<'a, 'p> {
    pub concurrent: &'a Concurrent<'a, 'p>,
    /// The hierarchy, the main thread first.
    pub order: &'a [ThreadId],
    pub checker: &'a mut dyn SequentialChecker<'p>,
    pub solver: &'a mut Solver<'p>,
    pub control: &'a Control,
    /// For each level, what its environment cannot do.
    pub facts: Vec<Vec<Fact>>,
    /// For each level and condition, what leads there.
    promises: FxHashMap<(usize, Term), Promises>,
    /// For each level, what its thread with its environment did as an answer.
    pub traces: Vec<Vec<Vec<ActionId>>>,
    /// What could not be shown, so that it is not tried again.
    pub refused: FxHashSet<(usize, Fact)>,
    pub samples: Samples,
    pub invariants: Invariants,
    /// How often variables that an environment does not access got values, for each level and condition.
    pub fixed: FxHashMap<(usize, Term), u32>,
    /// How often an environment could do too many things to know them all.
    pub unsaturated: u32,
    /// For each level, the last program that was proven.
    pub proven: Vec<Option<Proven<'p>>>,
    pub counts: QueryStatistics,
}

/// What is known of the computations that a question asks for.
#[derive(Clone, Default)]
struct Promises {
    promises: Vec<Promise>,
    out_of_reach: Vec<OutOfReach>,
}

impl<'a, 'p> Queries<'a, 'p> {
    pub fn new(
        concurrent: &'a Concurrent<'a, 'p>,
        order: &'a [ThreadId],
        checker: &'a mut dyn SequentialChecker<'p>,
        solver: &'a mut Solver<'p>,
        control: &'a Control,
        samples: Samples,
        counts: QueryStatistics,
    ) -> Result<Self, StopReason> {
        let levels = order.len();
        let invariants = Invariants::new(concurrent, &samples, solver, control)?;
        let mut facts = vec![Vec::new(); levels];
        let bounds = invariants.bounds(concurrent, &samples, solver).into_iter();
        facts[0].extend(bounds.map(|beta| Fact { alpha: Term::TRUE, beta }));
        Ok(Queries {
            concurrent,
            order,
            checker,
            solver,
            control,
            facts,
            promises: FxHashMap::default(),
            traces: vec![Vec::new(); levels],
            refused: FxHashSet::default(),
            samples,
            invariants,
            fixed: FxHashMap::default(),
            unsaturated: 0,
            proven: order.iter().map(|_| None).collect(),
            counts,
        })
    }

    /// Algorithm 1 with the thread of a level as the main one: a trace that is what the question asks for, or none if there is none.
    pub fn check(&mut self, level: usize, question: Question, budget: u64) -> Answered {
        let key = match question {
            Question::Error(_) => (level, Term::TRUE),
            Question::Reach { beta, .. } => (level, beta),
        };
        loop {
            self.control.poll_now()?;
            if self.counts.checks >= budget {
                return Err(Halt::Budget);
            }
            let learned = self.counts.facts;
            let Promises { promises, out_of_reach } = self.promises.get(&key).cloned().unwrap_or_default();
            let sequential = self.sequential(level, question, &promises, &out_of_reach);
            self.counts.checks += 1;
            let facts = self.facts.iter().map(Vec::len).sum::<usize>() as u64;
            self.control.report(|| Progress {
                round: self.counts.checks,
                assertions: facts,
                states: 0,
                ..Progress::default()
            });
            let execution = match self.checker.check(&sequential.program, &sequential.outline, self.control) {
                Checked::Safe(annotation) => {
                    self.proven[level] = Some(Proven { question, sequential, annotation });
                    return Ok(None);
                }
                Checked::Violated(execution) => execution,
                Checked::Unknown(reason) => return Err(reason.into()),
            };
            if let (Question::Error(_), Some(trace)) = (question, &self.samples.violation) {
                // The environment can do it: a computation that was drawn says so.
                return Ok(Some(trace.clone()));
            }
            let violation = Violation::new(self.concurrent.pool, &sequential, &execution)
                .ok_or_else(|| incomplete("what happens on a violating path cannot be computed"))?;
            match self.analyse(level, question, &violation, &promises, budget)? {
                Analysis::Refined if self.counts.facts == learned => {
                    return Err(incomplete("what is known of the environment does not tell that it cannot help"));
                }
                Analysis::Refined => {}
                Analysis::Real(trace) => return Ok(Some(trace)),
                Analysis::Saturated(new, closed) => {
                    let known = self.promises.entry(key).or_default();
                    known.promises.extend(new);
                    known.out_of_reach.push(closed);
                    self.counts.facts += 1;
                }
                Analysis::Promised(promise) => {
                    let same =
                        |other: &Promise| other.location == promise.location && other.condition == promise.condition;
                    if promises.iter().any(same) {
                        return Err(incomplete("the environment gave the same answer again"));
                    }
                    self.promises.entry(key).or_default().promises.push(promise);
                }
            }
        }
    }

    fn sequential(
        &self,
        level: usize,
        question: Question,
        promises: &[Promise],
        out_of_reach: &[OutOfReach],
    ) -> Sequential<'p> {
        let thread = self.order[level];
        let others: Vec<ThreadId> = self.order.iter().copied().filter(|&other| other != thread).collect();
        // What a larger environment cannot do, a part of it cannot do either. What holds in every reachable state holds for all.
        let known = |at: usize, fact: &Fact| at <= level || fact.alpha == Term::TRUE;
        let facts = self.facts.iter().enumerate();
        let facts = facts.flat_map(|(at, facts)| facts.iter().copied().filter(move |fact| known(at, fact)));
        let facts: Vec<Fact> = facts.collect();
        Parts {
            concurrent: self.concurrent,
            thread,
            environment: &self.order[level + 1..],
            others: &others,
            question,
            facts: &facts,
            always: self.invariants.all(),
            promises,
            out_of_reach,
        }
        .build()
    }
}
