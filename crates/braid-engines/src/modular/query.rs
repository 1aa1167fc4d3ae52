//! Algorithm 1 and environment queries (section 5), for any number of threads.
//!
//! Both are one loop: check the sequential program of a thread; where a violating path has an `env_move`, ask the environment about the
//! last one. The answer refines `env_move` or becomes a promise. The environment is asked by the same loop, one level further down.
//! Answers are traces: what must hold before one, to reach what was asked for, is its precondition.

use super::around::{ExecutedRelation, fixed, postcondition, project, states};
use super::checker::{Checked, SequentialChecker};
use super::concurrent::{Concurrent, Vars};
use super::conditions::{precondition, vars_of, weaker};
use super::invariants::Invariants;
use super::samples::Samples;
use super::sequential::{Fact, Parts, Promise, Question, Sequential, Source};
use crate::refinement::Stop;
use crate::{Control, Progress, Reason, StopReason, Verdict};
use braid_logic::{Answer, Model, Solver, Substitution, Term, TermPool, Validity, Value, Var};
use braid_program::Execution;
use braid_program::cfa::{ActionId, Location, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};

/// So often the variables that an environment does not access get values, for one condition.
const MAX_FIXED: u32 = 4;
/// So many answers of an environment are tried again.
const MAX_TRACES: usize = 24;

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

fn incomplete(why: &str) -> Halt {
    Halt::Stop(Stop(Verdict::Unknown(Reason::Incomplete(why.into()))))
}

/// A trace of the environment, if it can do what it was asked about.
type Answered = Result<Option<Vec<ActionId>>, Halt>;

/// What was done so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    /// Environment queries.
    pub queries: u64,
    /// Those of them that needed no sequential check.
    pub remembered: u64,
    /// Sequential checks.
    pub checks: u64,
    /// Facts about environments.
    pub facts: u64,
}

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
    promises: FxHashMap<(usize, Term), Vec<Promise>>,
    /// For each level, what its thread with its environment did as an answer.
    traces: Vec<Vec<Vec<ActionId>>>,
    /// What could not be shown, so that it is not tried again.
    pub refused: FxHashSet<(usize, Fact)>,
    pub samples: Samples,
    invariants: Invariants,
    /// How often variables that an environment does not access got values, for each level and condition.
    fixed: FxHashMap<(usize, Term), u32>,
    pub counts: Counts,
}

/// A violating path of a sequential program, with the states that an execution along it goes through.
struct Violation<'s, 'p> {
    sequential: &'s Sequential<'p>,
    path: Vec<ActionId>,
    execution: &'s Execution,
    states: Vec<Model>,
}

impl<'s, 'p> Violation<'s, 'p> {
    fn new(pool: &TermPool, sequential: &'s Sequential<'p>, execution: &'s Execution) -> Option<Self> {
        let path: Vec<ActionId> = execution.steps.iter().map(|step| step.action).collect();
        let states = states(pool, execution, path.iter().map(|&action| sequential.relation(action)))?;
        Some(Violation { sequential, path, execution, states })
    }
}

impl<'a, 'p> Queries<'a, 'p> {
    pub fn new(
        concurrent: &'a Concurrent<'a, 'p>,
        order: &'a [ThreadId],
        checker: &'a mut dyn SequentialChecker<'p>,
        solver: &'a mut Solver<'p>,
        control: &'a Control,
        counts: Counts,
    ) -> Result<Self, StopReason> {
        let levels = order.len();
        let samples = Samples::new(concurrent, order);
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
            let promises = self.promises.get(&key).cloned().unwrap_or_default();
            let sequential = self.sequential(level, question, &promises);
            self.counts.checks += 1;
            let facts = self.facts.iter().map(Vec::len).sum::<usize>() as u64;
            self.control.report(|| Progress { round: self.counts.checks, assertions: facts, states: 0 });
            let execution = match self.checker.check(&sequential.program, self.control) {
                Checked::Safe => return Ok(None),
                Checked::Violated(execution) => execution,
                Checked::Unknown(reason) => return Err(Halt::Stop(Stop(Verdict::Unknown(reason)))),
            };
            let violation = Violation::new(self.concurrent.pool, &sequential, &execution)
                .ok_or_else(|| incomplete("what happens on a violating path cannot be computed"))?;
            match self.analyse(level, question, &violation, &promises, budget)? {
                Analysis::Refined if self.counts.facts == learned => {
                    return Err(incomplete("what is known of the environment does not tell that it cannot help"));
                }
                Analysis::Refined => {}
                Analysis::Real(trace) => return Ok(Some(trace)),
                Analysis::Promised(promise) => {
                    let same =
                        |other: &Promise| other.location == promise.location && other.condition == promise.condition;
                    if promises.iter().any(same) {
                        return Err(incomplete("the environment gave the same answer again"));
                    }
                    self.promises.entry(key).or_default().push(promise);
                }
            }
        }
    }

    fn sequential(&self, level: usize, question: Question, promises: &[Promise]) -> Sequential<'p> {
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
        }
        .build()
    }

    /// What a violating path is worth (section 4.3).
    fn analyse(
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
        let (end, behind) = match (path.last().map(source), question) {
            (Some(Source::Promise(number)), _) => {
                let promise = &promises[*number];
                (promise.condition, promise.trace.clone())
            }
            (Some(Source::Met), Question::Reach { beta, .. }) => (beta, Vec::new()),
            _ => (Term::TRUE, Vec::new()),
        };
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
            return Ok(Analysis::Real(own(&path[start..]).into_iter().chain(behind).collect()));
        };
        let Source::EnvMove(location) = *source(&path[position]) else { unreachable!("the position of an env_move") };
        let last = own(&path[position + 1..]);
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
                    trace: trace.into_iter().chain(last).chain(behind).collect(),
                })
            }
        })
    }

    fn precondition(&mut self, actions: &[ActionId], condition: Term) -> Result<Term, Halt> {
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
        let here = Substitution::from_iter([(pc, super::concurrent::location(concurrent.pool, location))]);
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

    /// An environment query (Definition 1) of a level. That there is no answer becomes a fact.
    fn environment(&mut self, level: usize, (alpha, beta): (Term, Term), around: &[Model; 2], budget: u64) -> Answered {
        let pool = self.concurrent.pool;
        let alpha = self.without_redundant(alpha);
        let (general_alpha, general_beta) = self.without_hidden(level, &self.order[level + 1..], alpha, beta);
        if let Some(trace) = self.reach(level + 1, general_alpha, general_beta, budget)? {
            if (general_alpha, general_beta) == (alpha, beta) {
                return Ok(Some(trace));
            }
            let condition = self.precondition(&trace, beta)?;
            if self.solver.decide(&[pool.and([alpha, condition])]) == Answer::Sat {
                return Ok(Some(trace));
            }
            if let Some((alpha, beta)) = self.with_hidden_fixed(level, (alpha, beta), around) {
                // An answer is one for the conditions as they were: where the hidden variables have these values.
                let answer = self.reach(level + 1, alpha, beta, budget)?;
                if answer.is_none() {
                    self.learn(level, Fact { alpha, beta }, budget)?;
                }
                return Ok(answer);
            }
            if let Some(trace) = self.reach(level + 1, alpha, beta, budget)? {
                return Ok(Some(trace));
            }
            return self.learn(level, Fact { alpha, beta }, budget).map(|()| None);
        }
        self.learn(level, Fact { alpha: general_alpha, beta: general_beta }, budget).map(|()| None)
    }

    /// Both conditions with the values that variables have which the environment does not access: queries then do not speak of
    /// the threads above. Not too often for one question, for they may have ever new values.
    fn with_hidden_fixed(
        &mut self,
        level: usize,
        (alpha, beta): (Term, Term),
        [before, after]: &[Model; 2],
    ) -> Option<(Term, Term)> {
        let pool = self.concurrent.pool;
        let tries = self.fixed.entry((level, beta)).or_default();
        *tries += 1;
        if *tries > MAX_FIXED {
            return None;
        }
        let accessed = self.concurrent.accessed(&self.order[level + 1..]);
        let all: Vars = vars_of(pool, alpha).chain(vars_of(pool, beta)).collect();
        let hidden: Vec<Var> = all.into_iter().filter(|var| !accessed.contains(var)).collect();
        let stays = |conjunct: &Term| !hidden.iter().any(|&var| pool.mentions(*conjunct, var));
        let (alpha, beta) = (fixed(pool, &hidden, alpha, before), fixed(pool, &hidden, beta, after));
        (stays(&alpha) && stays(&beta)).then_some((alpha, beta))
    }

    /// Both conditions without the variables that the environment of a level does not access. What is known before of those that the movers
    /// cannot change is known afterwards.
    fn without_hidden(&mut self, level: usize, movers: &[ThreadId], alpha: Term, beta: Term) -> (Term, Term) {
        let pool = self.concurrent.pool;
        let accessed = self.concurrent.accessed(&self.order[level + 1..]);
        let written = self.concurrent.written(movers);
        let all: Vars = vars_of(pool, alpha).chain(vars_of(pool, beta)).collect();
        let hidden: Vec<Var> = all.into_iter().filter(|var| !accessed.contains(var)).collect();
        if hidden.is_empty() {
            return (alpha, beta);
        }
        let stays = |conjunct: &Term| {
            vars_of(pool, *conjunct).all(|var| !written.contains(&var))
                && hidden.iter().any(|&var| pool.mentions(*conjunct, var))
        };
        let kept: Vec<Term> = pool.conjuncts(alpha).into_iter().filter(stays).collect();
        let beta = weaker(self.solver, pool, &hidden, pool.and(kept.into_iter().chain([beta])));
        (weaker(self.solver, pool, &hidden, alpha), beta)
    }

    /// The condition without conjuncts that follow from the others, or hold anyway.
    fn without_redundant(&mut self, condition: Term) -> Term {
        let pool = self.concurrent.pool;
        // What always holds says nothing.
        let mut kept = pool.conjuncts(condition);
        kept.retain(|&conjunct| !self.invariants.refute(self.concurrent, self.solver, pool.not(conjunct)));
        let mut largest_first = kept.clone();
        largest_first.sort_by_key(|&conjunct| std::cmp::Reverse(pool.size(conjunct)));
        for conjunct in largest_first {
            let others: Vec<Term> = kept.iter().copied().filter(|&other| other != conjunct).collect();
            if self.solver.entails(&others, conjunct) == Validity::Valid {
                kept = others;
            }
        }
        pool.and(kept)
    }

    /// Is there a computation of the threads from a level on, from a state of `alpha` to one of `beta`?
    fn reach(&mut self, level: usize, alpha: Term, beta: Term, budget: u64) -> Answered {
        let pool = self.concurrent.pool;
        self.counts.queries += 1;
        self.counts.remembered += 1;
        if self.solver.decide(&[pool.and([alpha, beta])]) == Answer::Sat {
            return Ok(Some(Vec::new()));
        }
        if self.is_known(level, alpha, beta) {
            return Ok(None);
        }
        for trace in self.traces[level].clone() {
            let condition = self.precondition(&trace, beta)?;
            if self.solver.decide(&[pool.and([alpha, condition])]) == Answer::Sat {
                return Ok(Some(trace));
            }
        }
        self.counts.remembered -= 1;
        let answer = self.check(level, Question::Reach { alpha, beta }, budget)?;
        if let Some(trace) = &answer {
            let traces = &mut self.traces[level];
            traces.retain(|other| other != trace);
            traces.insert(0, trace.clone());
            traces.truncate(MAX_TRACES);
        }
        Ok(answer)
    }

    /// Does a fact say that the threads from a level on cannot get from `alpha` to `beta`?
    pub fn is_known(&mut self, level: usize, alpha: Term, beta: Term) -> bool {
        if self.invariants.refute(self.concurrent, self.solver, beta) {
            return true;
        }
        let facts = self.facts[..level].concat();
        facts.into_iter().any(|fact| self.implies(alpha, fact.alpha) && self.implies(beta, fact.beta))
    }

    pub fn implies(&mut self, premise: Term, conclusion: Term) -> bool {
        premise == conclusion || self.solver.entails(&[premise], conclusion) == Validity::Valid
    }
}

/// What a violating path is worth.
enum Analysis {
    /// The environment cannot do what it does there, and that is known now.
    Refined,
    /// It is what was asked for.
    Real(Vec<ActionId>),
    /// It would be, if this holds.
    Promised(Promise),
}
