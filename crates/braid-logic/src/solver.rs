//! The solver façade: satisfiability of formulas, with cores, models, elimination and interpolation.
//!
//! The façade keeps the assertion stack itself. A query goes through the tiers in rising price: a look at the
//! formulas, the memory of earlier one-shot queries, the native tier, and then the backend (the linked Z3 or an
//! external process), whose own stack follows lazily. Callers see terms only, never a solver's types. Beside an external
//! process the linked Z3 is not asked anything.
//!
//! States: `check`, `check_assuming`, `decide` and `entails` set the *last query*. After `Unsat` of `check_assuming`
//! its [`Solver::core`] is there, after `Sat` its [`Solver::model`]; the next query replaces both.

mod clauses;
mod dump;
mod eliminate;
mod floats;
mod horn;
mod interrupt;
mod model;
mod options;
mod pipe;
mod process;
mod quantifier;
mod reread;
mod statistics;
mod translate;
mod z3;

pub use interrupt::Interrupter;
pub use options::{Backend, Budget, SolverError, SolverOptions};
pub use statistics::{Answers, Statistics};

use self::z3::Z3Tier;
pub use self::z3::z3_version;
use crate::horn::{HornAnswer, HornClauses};
use crate::linear::{LinearSolver, NativeAnswer};
use crate::pool::TermPool;
use crate::term::{Term, Var};
use crate::value::Model;
use dump::Dump;
use eliminate::Elimination;
use interrupt::Watch;
use process::ProcessTier;
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The answer to a satisfiability query.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// Neither was found out within the budget.
    Unknown,
}

/// The answer to a question of entailment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Validity {
    /// The conclusion follows.
    Valid,
    /// It does not: there is a model of the premises in which it is false.
    Invalid,
    /// Neither was found out within the budget.
    Unknown,
}

/// What a tier is asked: formulas from the stack, followed by assumptions.
struct Query<'a> {
    formulas: &'a [Term],
    /// How many of the formulas are from the stack.
    assumed_from: usize,
    /// The marks of the stack; none for a one-shot query, which has no assumptions either.
    marks: Option<&'a [usize]>,
}

impl<'a> Query<'a> {
    fn stack(&self) -> &'a [Term] {
        &self.formulas[..self.assumed_from]
    }

    fn assumptions(&self) -> &'a [Term] {
        &self.formulas[self.assumed_from..]
    }
}

/// Who gave the last answer, and so can tell its model.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tier {
    Nobody,
    Trivial,
    Memory,
    Native,
    Backend,
}

/// Remembered one-shot answers are forgotten all at once beyond this many.
const MAX_REMEMBERED: usize = 1 << 16;

/// A solver for the terms of one pool. See the module's description.
pub struct Solver<'p> {
    pool: &'p TermPool,
    options: SolverOptions,
    stack: Vec<Term>,
    /// The height of the stack at each push.
    marks: Vec<usize>,
    /// The formulas of the last query: those of the stack, then the assumptions.
    query: Vec<Term>,
    /// How many formulas of the last query are from the stack.
    assumed_from: usize,
    answered_by: Tier,
    answer: Answer,
    core: Vec<Term>,
    /// Answers to one-shot queries, by their sorted formulas; unknown is not remembered.
    remembered: FxHashMap<Box<[Term]>, Answer>,
    native: Option<LinearSolver<'p>>,
    watch: Watch,
    /// Made when first needed.
    z3: Option<Z3Tier<'p>>,
    /// There if the backend is an external process.
    process: Option<ProcessTier<'p>>,
    dump: Option<Dump>,
    diagnostics: Vec<String>,
    statistics: Statistics,
}

impl<'p> Solver<'p> {
    /// A solver with an empty stack. Fails if the external process cannot be run, or queries cannot be dumped.
    pub fn new(pool: &'p TermPool, options: SolverOptions) -> Result<Self, SolverError> {
        let process = match &options.backend {
            Backend::Z3 => None,
            Backend::Process(command) => {
                let started = ProcessTier::new(pool, command, options.budget.wall_clock);
                Some(started.map_err(|reason| SolverError::Process { command: command.clone(), reason })?)
            }
        };
        let new_dump = |directory: &PathBuf| {
            Dump::new(directory)
                .map_err(|error| SolverError::Dump { directory: directory.clone(), reason: error.to_string() })
        };
        let dump = options.dump.as_ref().map(new_dump).transpose()?;
        let watch = Watch::new(options.budget.wall_clock);
        let native = options.native.then(|| LinearSolver::new(pool));
        Ok(Solver {
            pool,
            options,
            stack: Vec::new(),
            marks: Vec::new(),
            query: Vec::new(),
            assumed_from: 0,
            answered_by: Tier::Nobody,
            answer: Answer::Unknown,
            core: Vec::new(),
            remembered: FxHashMap::default(),
            native,
            watch,
            z3: None,
            process,
            dump,
            diagnostics: Vec::new(),
            statistics: Statistics::default(),
        })
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.marks.push(self.stack.len());
    }

    /// Closes the newest scope and forgets what was asserted in it; without one, everything.
    pub fn pop(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        self.stack.truncate(mark);
    }

    /// Adds a formula to the stack.
    pub fn assert(&mut self, formula: Term) {
        self.stack.push(formula);
    }

    /// Is the stack satisfiable?
    pub fn check(&mut self) -> Answer {
        self.check_assuming(&[])
    }

    /// Is the stack satisfiable together with the assumptions, which may be any formulas?
    pub fn check_assuming(&mut self, assumptions: &[Term]) -> Answer {
        self.query.clear();
        self.query.extend_from_slice(&self.stack);
        self.query.extend_from_slice(assumptions);
        self.assumed_from = self.stack.len();
        self.solve(true)
    }

    /// Are the formulas satisfiable together? Independent of the stack.
    pub fn decide(&mut self, formulas: &[Term]) -> Answer {
        self.query.clear();
        self.query.extend_from_slice(formulas);
        self.query.sort_unstable();
        self.query.dedup();
        self.assumed_from = self.query.len();
        if !self.options.memory {
            return self.solve(false);
        }
        if let Some(&answer) = self.remembered.get(&self.query[..]) {
            self.statistics.queries += 1;
            self.statistics.cache_hits += 1;
            return self.finish(Tier::Memory, answer);
        }
        let answer = self.solve(false);
        if answer != Answer::Unknown && self.answered_by != Tier::Trivial {
            if self.remembered.len() >= MAX_REMEMBERED {
                self.remembered.clear();
            }
            self.remembered.insert(self.query[..].into(), answer);
        }
        answer
    }

    /// Does the conclusion follow from the premises? Independent of the stack.
    pub fn entails(&mut self, premises: &[Term], conclusion: Term) -> Validity {
        let mut formulas = premises.to_vec();
        formulas.push(self.pool.not(conclusion));
        match self.decide(&formulas) {
            Answer::Sat => Validity::Invalid,
            Answer::Unsat => Validity::Valid,
            Answer::Unknown => Validity::Unknown,
        }
    }

    fn finish(&mut self, tier: Tier, answer: Answer) -> Answer {
        self.answered_by = tier;
        self.answer = answer;
        answer
    }

    /// Takes the query through the tiers.
    fn solve(&mut self, on_stack: bool) -> Answer {
        self.statistics.queries += 1;
        self.core.clear();
        if let Some(position) = self.query.iter().position(|&formula| formula == Term::FALSE) {
            self.statistics.trivial += 1;
            if position >= self.assumed_from {
                self.core.push(Term::FALSE);
            }
            return self.finish(Tier::Trivial, Answer::Unsat);
        }
        if self.query.iter().all(|&formula| formula == Term::TRUE) {
            self.statistics.trivial += 1;
            return self.finish(Tier::Trivial, Answer::Sat);
        }
        let written = self.dump.as_mut().map(|dump| dump.query(self.pool, &self.query));
        let (tier, answer) = match self.ask_native() {
            Some(answer) => (Tier::Native, answer),
            None => (Tier::Backend, self.ask_backend(on_stack)),
        };
        if let (Some(Ok(())), Some(dump)) = (&written, &self.dump) {
            let tier = if tier == Tier::Native { "native" } else { "backend" };
            self.note_failure(dump.answer(answer, tier));
        } else if let Some(written) = written {
            self.note_failure(written);
        }
        self.finish(tier, answer)
    }

    fn note_failure(&mut self, written: std::io::Result<()>) {
        if let Err(error) = written {
            self.diagnostics.push(format!("a query could not be dumped: {error}"));
        }
    }

    /// None if the native tier is switched off or gives up.
    fn ask_native(&mut self) -> Option<Answer> {
        let native = self.native.as_mut()?;
        let start = Instant::now();
        let answer = match native.check(&self.query) {
            NativeAnswer::Sat => Answer::Sat,
            NativeAnswer::Unsat(used) => {
                let assumed = used.into_iter().filter(|&index| index >= self.assumed_from);
                self.core.extend(assumed.map(|index| self.query[index]));
                Answer::Unsat
            }
            NativeAnswer::GiveUp => Answer::Unknown,
        };
        self.statistics.native.count(answer);
        self.statistics.native_time += start.elapsed();
        (answer != Answer::Unknown).then_some(answer)
    }

    /// A formula without quantifiers, over the other variables, that is equivalent to `∃ vars. formula`. None if it is
    /// not found within the budget, or would be too large; beside an external process also where it would take Z3.
    pub fn eliminate(&mut self, vars: &[Var], formula: Term) -> Option<Term> {
        let start = Instant::now();
        self.statistics.eliminations += 1;
        let (pool, budget, z3, watch) = (self.pool, &self.options.budget, &mut self.z3, &self.watch);
        let is_linked = self.process.is_none();
        let by_z3 = |vars: &[Var], formula: Term| {
            if !is_linked {
                return None;
            }
            let z3 = z3.get_or_insert_with(|| Z3Tier::new(pool, *budget, watch));
            watch.begin_within(budget.search);
            let result = quantifier::eliminate(pool, &mut z3.translator, vars, formula);
            (!watch.end()).then_some(result?)
        };
        let result = match reread::has_quantifier(pool, formula) {
            true => None,
            false => Elimination::new(pool, by_z3).project(vars, formula),
        };
        self.statistics.other_time += start.elapsed();
        result.filter(|&result| pool.size(result) <= budget.size)
    }

    /// Sequence interpolants of formulas A₁ … Aₙ that are unsatisfiable together: `true = I₀, I₁, …, Iₙ = false`, where
    /// Iᵢ ∧ Aᵢ₊₁ implies Iᵢ₊₁ and Iᵢ speaks only of variables that occur on both sides of position i. The caller
    /// checks the implications before relying on them. None if they are not found within the budget, or too large, and
    /// beside an external process.
    pub fn interpolate(&mut self, formulas: &[Term]) -> Option<Vec<Term>> {
        let start = Instant::now();
        self.statistics.interpolations += 1;
        if self.process.is_some() {
            return None;
        }
        let (pool, budget, watch) = (self.pool, &self.options.budget, &self.watch);
        let z3 = self.z3.get_or_insert_with(|| Z3Tier::new(pool, *budget, watch));
        watch.begin_within(budget.search);
        let result = horn::interpolate(pool, &mut z3.translator, formulas);
        let interrupted = watch.end();
        self.statistics.other_time += start.elapsed();
        result.filter(|found| !interrupted && found.iter().all(|&term| pool.size(term) <= budget.size))
    }

    /// Predicates that make Horn clauses true, looked for no longer than the limit. The caller checks them before relying on them. Unknown
    /// also if they are too large, and beside an external process.
    pub fn solve_horn(&mut self, horn: &HornClauses, limit: Duration) -> HornAnswer {
        let start = Instant::now();
        if self.process.is_some() {
            return HornAnswer::Unknown;
        }
        let (pool, budget, watch) = (self.pool, &self.options.budget, &self.watch);
        let z3 = self.z3.get_or_insert_with(|| Z3Tier::new(pool, *budget, watch));
        watch.begin_within(limit);
        let answer = clauses::solve(pool, &mut z3.translator, horn);
        let interrupted = watch.end();
        self.statistics.other_time += start.elapsed();
        match answer {
            _ if interrupted => HornAnswer::Unknown,
            HornAnswer::Solved(found) if found.iter().any(|&term| pool.size(term) > budget.size) => HornAnswer::Unknown,
            answer => answer,
        }
    }

    fn ask_backend(&mut self, on_stack: bool) -> Answer {
        let start = Instant::now();
        let query = Query {
            formulas: &self.query,
            assumed_from: self.assumed_from,
            marks: on_stack.then_some(&self.marks[..]),
        };
        let (watch, core) = (&self.watch, &mut self.core);
        let wants_core = |answer| answer == Answer::Unsat && !query.assumptions().is_empty();
        watch.begin();
        let answer = match &mut self.process {
            Some(process) => {
                let answer = process.check(&query, watch);
                if wants_core(answer) {
                    *core = process.core(query.assumptions(), watch);
                }
                self.diagnostics.append(&mut process.diagnostics);
                answer
            }
            None => {
                let z3 = self.z3.get_or_insert_with(|| Z3Tier::new(self.pool, self.options.budget, watch));
                let answer = z3.check(&query, watch, &mut self.statistics);
                if wants_core(answer) {
                    *core = z3.core(query.assumptions());
                }
                answer
            }
        };
        let answer = if watch.end() { self.forget_interrupted() } else { answer };
        self.statistics.backend.count(answer);
        self.statistics.backend_time += start.elapsed();
        answer
    }

    /// Drops what an interrupted query has left.
    fn forget_interrupted(&mut self) -> Answer {
        self.core.clear();
        if let Some(z3) = &mut self.z3 {
            z3.replace_solvers();
        }
        Answer::Unknown
    }

    /// After `Unsat` of [`Solver::check_assuming`]: assumptions that suffice for it, with the stack.
    pub fn core(&self) -> &[Term] {
        &self.core
    }

    /// Drops assumptions from the core for as long as the rest is still unsatisfiable with the stack, each attempt
    /// within the budget of a query and all together within its wall-clock limit.
    pub fn minimize_core(&mut self) -> &[Term] {
        if self.answer != Answer::Unsat {
            return &[];
        }
        let start = Instant::now();
        let mut core = std::mem::take(&mut self.core);
        // The assumptions before this position were tried and stay.
        let mut kept = 0;
        while kept < core.len() && start.elapsed() < self.options.budget.wall_clock {
            let dropped = core.remove(kept);
            if self.check_assuming(&core) == Answer::Unsat {
                kept = core[..kept].iter().filter(|assumption| self.core.contains(assumption)).count();
                core.retain(|assumption| self.core.contains(assumption));
            } else {
                core.insert(kept, dropped);
                kept += 1;
            }
        }
        self.query.truncate(self.assumed_from);
        self.query.extend_from_slice(&core);
        self.core = core;
        self.finish(Tier::Backend, Answer::Unsat);
        &self.core
    }

    /// After `Sat`: values for the free variables and the functions of the query's formulas. None after any other
    /// answer, and where the backend's values are beyond what a [`Model`] can say.
    pub fn model(&mut self) -> Option<Model> {
        if self.answer != Answer::Sat {
            return None;
        }
        let mut found = match self.answered_by {
            Tier::Nobody => return None,
            Tier::Trivial => Model::default(),
            Tier::Memory => {
                (self.solve(false) == Answer::Sat).then_some(())?;
                return self.model();
            }
            Tier::Native => self.native.as_mut()?.model(),
            Tier::Backend => match &mut self.process {
                Some(process) => {
                    let found = process.model(&self.query, &self.watch);
                    self.diagnostics.append(&mut process.diagnostics);
                    found?
                }
                None => self.z3.as_mut()?.model(&self.query)?,
            },
        };
        model::complete(self.pool, &self.query, &mut found);
        debug_assert!(
            self.query.iter().all(|&formula| self.pool.holds_in(formula, &found) != Some(false)),
            "a model satisfies its query"
        );
        Some(found)
    }

    /// What went wrong so far without making an answer wrong: a process that had to be restarted, a file not written.
    pub fn diagnostics(&self) -> &[String] {
        &self.diagnostics
    }

    /// What this solver did so far.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// A handle that stops the running query from another thread.
    pub fn interrupter(&self) -> Interrupter {
        self.watch.interrupter()
    }
}
