//! What a violating path of a sequential program is worth (section 4.3): what its last `env_move` is said to do is asked of the environment.
//! The answer refines `env_move`, or becomes promises. Answers are traces: what must hold before one, to reach what was asked for, is
//! its precondition.

use super::around::{ExecutedRelation, postcondition, project, states};
use super::concurrent::location as place;
use super::conditions::{precondition, vars_of};
use super::query::{Halt, Queries, incomplete};
use super::saturation::{Saturation, Way};
use super::sequential::{Fact, OutOfReach, Promise, Question, Sequential, Source};
use braid_logic::{Answer, Model, Substitution, Term, TermPool, Value, Var};
use braid_program::Execution;
use braid_program::cfa::{ActionId, Location, ThreadId};

/// So often it is tried in vain to know all that an environment can do.
const MAX_UNSATURATED: u32 = 2;

/// What a violating path is worth.
pub(super) enum Analysis {
    /// The environment cannot do what it does there, and that is known now.
    Refined,
    /// It is what was asked for.
    Real(Vec<ActionId>),
    /// It would be, if this holds.
    Promised(Promise),
    /// It would be, if one of these holds, and otherwise is not.
    Saturated(Vec<Promise>, OutOfReach),
}

/// A violating path of a sequential program, with the states that an execution along it goes through.
pub(super) struct Violation<'s, 'p> {
    sequential: &'s Sequential<'p>,
    path: Vec<ActionId>,
    execution: &'s Execution,
    states: Vec<Model>,
}

impl<'s, 'p> Violation<'s, 'p> {
    pub fn new(pool: &TermPool, sequential: &'s Sequential<'p>, execution: &'s Execution) -> Option<Self> {
        let path: Vec<ActionId> = execution.steps.iter().map(|step| step.action).collect();
        let states = states(pool, execution, path.iter().map(|&action| sequential.relation(action)))?;
        Some(Violation { sequential, path, execution, states })
    }
}

impl<'p> Queries<'_, 'p> {
    /// What a violating path is worth (section 4.3).
    pub fn analyse(
        &mut self,
        level: usize,
        question: Question,
        violation: &Violation<'_, 'p>,
        promises: &[Promise],
        budget: u64,
    ) -> Result<Analysis, Halt> {
        let (sequential, path) = (violation.sequential, &violation.path[..]);
        let source = |action: &ActionId| &sequential.sources[action.index()];
        let own = |part: &[ActionId]| -> Vec<ActionId> {
            let actions = part.iter().filter_map(|action| match source(action) {
                Source::Actions(actions) => Some(actions),
                _ => None,
            });
            actions.flatten().copied().collect()
        };
        // All promises of a place are one error: which one is met is what the states tell.
        let ends: Vec<(Term, &[ActionId])> = match (path.last().map(source), question) {
            (Some(Source::Promise(location)), _) => {
                let there = promises.iter().filter(|promise| promise.location == *location);
                there.map(|promise| (promise.condition, &promise.trace[..])).collect()
            }
            (Some(Source::Met), Question::Reach { beta, .. }) => vec![(beta, &[][..])],
            _ => vec![(Term::TRUE, &[][..])],
        };
        let last_state = &violation.states[violation.states.len() - 1];
        let is_met =
            |(condition, _): &&(Term, &[ActionId])| self.concurrent.pool.holds_in(*condition, last_state) == Some(true);
        let &(end, behind) = ends
            .iter()
            .find(is_met)
            .ok_or_else(|| incomplete("which promise a violating path meets cannot be computed"))?;
        let activation = path.iter().position(|action| *source(action) == Source::Activation);
        let env_move = path.iter().rposition(|action| matches!(source(action), Source::EnvMove(_)));
        let Some(position) = env_move else {
            let start = activation.map_or(0, |activation| activation + 1);
            if let (Some(activation), Question::Reach { alpha, .. }) = (activation, question) {
                let reached = self.precondition_of(level, sequential, &path[start..], end)?;
                let reached = self.concurrent.pool.and([alpha, reached]);
                if self.refute_early(level, violation, activation, reached, budget)? {
                    return Ok(Analysis::Refined);
                }
            }
            return Ok(Analysis::Real(own(&path[start..]).into_iter().chain(behind.iter().copied()).collect()));
        };
        let Source::EnvMove(location) = *source(&path[position]) else { unreachable!("the position of an env_move") };
        let last = own(&path[position + 1..]);
        let mut goals = Vec::new();
        for (end, behind) in ends {
            let condition = self.precondition_of(level, sequential, &path[position + 1..], end)?;
            let (_, condition) = self.at_location(level, location, Term::TRUE, condition);
            goals.push(Way { condition, trace: last.iter().chain(behind).copied().collect() });
        }
        let (above, below) = self.order.split_at(level + 1);
        // In a hierarchy queries need not speak of the threads above, and few are asked.
        if !self.concurrent.accessed(below).is_disjoint(&self.concurrent.written(above))
            && let Some((new, closed)) = self.saturated(level, location, goals, promises)?
        {
            return Ok(Analysis::Saturated(new, closed));
        }
        let beta = self.precondition_of(level, sequential, &path[position + 1..], end)?;
        let alpha = self.postcondition(violation, position);
        let refuted = promises.iter().filter(|promise| promise.location == location);
        let refuted: Vec<Term> = refuted.map(|promise| self.concurrent.pool.not(promise.condition)).collect();
        let alpha = self.concurrent.pool.and(refuted.into_iter().chain([alpha]));
        let (alpha, beta) = self.at_location(level, location, alpha, beta);
        let around =
            [position, position + 1].map(|position| self.located(level, location, &violation.states[position]));
        Ok(match self.environment(level, (alpha, beta), &around, budget)? {
            None => Analysis::Refined,
            Some(trace) => {
                let condition = self.precondition(&trace, beta)?;
                Analysis::Promised(Promise {
                    location,
                    condition,
                    trace: trace.into_iter().chain(last).chain(behind.iter().copied()).collect(),
                })
            }
        })
    }

    /// All ways of the environment to the goals as promises, and a fact that there are no others.
    fn saturated(
        &mut self,
        level: usize,
        location: Location,
        goals: Vec<Way>,
        promises: &[Promise],
    ) -> Result<Option<(Vec<Promise>, OutOfReach)>, Halt> {
        if self.unsaturated >= MAX_UNSATURATED {
            return Ok(None);
        }
        let pool = self.concurrent.pool;
        let (concurrent, invariants, control) = (self.concurrent, &self.invariants, self.control);
        let mut saturation = Saturation { concurrent, invariants, solver: &mut *self.solver, control };
        let beta = pool.or(goals.iter().map(|goal| goal.condition));
        let ways = saturation.ways(&self.order[level + 1..], goals)?;
        let Some(ways) = ways else {
            self.unsaturated += 1;
            return Ok(None);
        };
        let known = |way: &Way| {
            promises.iter().any(|promise| promise.location == location && promise.condition == way.condition)
        };
        let new = ways.into_iter().filter(|way| !known(way));
        let new = new.map(|Way { condition, trace }| Promise { location, condition, trace }).collect();
        Ok(Some((new, OutOfReach { location, beta })))
    }

    pub fn precondition(&mut self, actions: &[ActionId], condition: Term) -> Result<Term, Halt> {
        let path = actions.iter().map(|&action| self.concurrent.relation(action));
        precondition(self.solver, self.concurrent.pool, path, condition)
            .ok_or_else(|| incomplete("what an input must be for a violation cannot be said without quantifiers"))
    }

    /// What must hold before a path of a sequential program on which its own thread moves alone. Where the thread stands because
    /// others had moved it, that is part of the condition: a promise there says nothing of the location.
    fn precondition_of(
        &mut self,
        level: usize,
        sequential: &Sequential<'p>,
        path: &[ActionId],
        mut condition: Term,
    ) -> Result<Term, Halt> {
        for action in path.iter().rev() {
            match &sequential.sources[action.index()] {
                Source::Actions(actions) => condition = self.precondition(actions, condition)?,
                Source::Moved(location) => {
                    let here = self.concurrent.is_at(self.order[level], *location);
                    condition = self.concurrent.pool.and([here, condition]);
                }
                _ => {}
            }
        }
        Ok(condition)
    }

    /// What is known after so many steps of a violating path, around its state.
    fn postcondition(&mut self, violation: &Violation<'_, 'p>, steps: usize) -> Term {
        let (pool, sequential) = (self.concurrent.pool, violation.sequential);
        let mut condition = Term::TRUE;
        for position in 0..steps {
            let step = ExecutedRelation {
                relation: sequential.relation(violation.path[position]),
                before: &violation.states[position],
                choices: &violation.execution.steps[position].choices,
                after: &violation.states[position + 1],
            };
            condition = postcondition(self.solver, pool, condition, &step, &sequential.copies);
        }
        // What is not in the program cannot make its env_move finer: it comes in with a promise, by need.
        let others: Vec<Var> = vars_of(pool, condition).filter(|var| !sequential.mentioned.contains(var)).collect();
        project(self.solver, pool, &others, condition, &violation.states[steps])
    }

    /// Both conditions where the main thread is known to be at a location, and to stay there.
    fn at_location(&self, level: usize, location: Location, alpha: Term, beta: Term) -> (Term, Term) {
        let (concurrent, thread) = (self.concurrent, self.order[level]);
        if !concurrent.moved_by_others(thread, location).is_empty() {
            return (alpha, beta);
        }
        let pc = concurrent.pc[thread.index()];
        let here = Substitution::from_iter([(pc, place(concurrent.pool, location))]);
        let alpha = concurrent.pool.substitute(alpha, &here);
        let beta = concurrent.pool.substitute(beta, &here);
        (concurrent.pool.and([alpha, concurrent.is_at(thread, location)]), beta)
    }

    /// The state with the location of the level's thread, which programs need not speak of.
    fn located(&self, level: usize, location: Location, state: &Model) -> Model {
        let (mut state, pc) = (state.clone(), self.concurrent.pc[self.order[level].index()]);
        state.vars.entry(pc).or_insert_with(|| Value::Int(i64::from(location.0).into()));
        state
    }

    /// Looks for a fact by which others cannot do what they do before the activation, going back from where the condition holds. The
    /// paper has none there; without them nothing can be said of a thread that depends on further ones in whatever state it is.
    fn refute_early(
        &mut self,
        level: usize,
        violation: &Violation<'_, 'p>,
        activation: usize,
        mut condition: Term,
        budget: u64,
    ) -> Result<bool, Halt> {
        let (pool, sequential) = (self.concurrent.pool, violation.sequential);
        if level + 1 == self.order.len() {
            return Ok(false);
        }
        let havocked: Vec<Var> = sequential.moved_by_others.iter().copied().collect();
        for (position, action) in violation.path[..activation].iter().enumerate().rev() {
            match &sequential.sources[action.index()] {
                Source::Actions(actions) => {
                    let Ok(before) = self.precondition(actions, condition) else { return Ok(false) };
                    condition = before;
                }
                Source::Others => {
                    let mut alpha = self.postcondition(violation, position);
                    let others: Vec<ThreadId> =
                        self.order.iter().copied().filter(|&t| t != self.order[level]).collect();
                    let beta;
                    (alpha, beta) = self.without_hidden(level, &others, alpha, condition);
                    let overlap = self.solver.decide(&[pool.and([alpha, beta])]) != Answer::Unsat;
                    alpha =
                        if overlap || !sequential.is_autonomous { Term::TRUE } else { self.without_redundant(alpha) };
                    for fact in [Fact { alpha: Term::TRUE, beta }, Fact { alpha, beta }] {
                        if beta != Term::TRUE && self.is_fact(level, fact, budget)? {
                            self.learn(level, fact, budget)?;
                            return Ok(true);
                        }
                    }
                    condition = project(self.solver, pool, &havocked, condition, &violation.states[position + 1]);
                }
                _ => {}
            }
        }
        Ok(false)
    }
}
