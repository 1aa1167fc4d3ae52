//! The tier that asks Z3.
//!
//! Two Z3 solvers are kept: one follows the caller's assertion stack, and only the difference to the last query is
//! pushed or popped; the other answers one-shot queries. Both use the configuration that measured fastest on small
//! quantifier-free queries and never got stuck; where it gives up, a fresh solver with Z3's default strategy is asked again.
//! Invariant: a solver that answered unknown is replaced before the next query (reused ones have crashed).

use super::interrupt::{ContextSlot, Watch};
use super::model::{self, Elements, Z3Values};
use super::options::Budget;
use super::reread::any;
use super::statistics::Statistics;
use super::translate::Translator;
use super::{Answer, Query};
use crate::pool::TermPool;
use crate::sort::Sort;
use crate::term::{BvOp, Node, Term};
use crate::value::Model;
use rustc_hash::{FxHashMap, FxHashSet};
use z3::ast::{Ast, Bool};
use z3::{Params, SatResult};

/// The version of the Z3 that is loaded, such as `5.4.0`.
pub fn z3_version() -> String {
    let words = z3::full_version();
    let number = words.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(words);
    number.splitn(4, '.').take(3).collect::<Vec<_>>().join(".")
}

pub(super) struct Z3Tier<'p> {
    pool: &'p TermPool,
    pub translator: Translator<'p>,
    budget: Budget,
    stack: Follower,
    one_shot: OneShot,
    /// The solver of the last second opinion.
    opinion: Option<z3::Solver>,
    /// The literal that stands for each formula that was ever assumed.
    literals: FxHashMap<Term, Bool>,
    holder: Holder,
    _context: ContextSlot,
}

/// Which solver gave the last answer.
#[derive(Clone, Copy)]
enum Holder {
    Stack,
    OneShot,
    Opinion,
    /// The same, without assumptions.
    Floats,
}

/// A Z3 solver that follows an assertion stack.
struct Follower {
    solver: z3::Solver,
    asserted: Vec<Term>,
    /// The number of assertions below each of Z3's scopes.
    scopes: Vec<usize>,
    /// The formulas whose literals are defined in an additional topmost scope, if that is open.
    defined: Option<FxHashSet<Term>>,
}

/// A Z3 solver for one query at a time; the last query stays in its scope until the next one, for its model.
struct OneShot {
    solver: z3::Solver,
    open: bool,
}

impl Follower {
    fn new(budget: &Budget) -> Self {
        Follower { solver: fast_solver(budget), asserted: Vec::new(), scopes: Vec::new(), defined: None }
    }

    fn close_definitions(&mut self) {
        if self.defined.take().is_some() {
            self.solver.pop(1);
        }
    }

    /// Brings Z3's stack to the caller's.
    fn follow(&mut self, translator: &mut Translator, stack: &[Term], marks: &[usize]) {
        let common = self.asserted.iter().zip(stack).take_while(|(a, b)| a == b).count();
        if common == self.asserted.len() && common == stack.len() {
            return;
        }
        self.close_definitions();
        while self.asserted.len() > common {
            match self.scopes.pop() {
                Some(below) => {
                    self.solver.pop(1);
                    self.asserted.truncate(below);
                }
                None => {
                    self.solver.reset();
                    self.asserted.clear();
                }
            }
        }
        for (position, &formula) in stack.iter().enumerate().skip(self.asserted.len()) {
            let newest = self.scopes.last().copied();
            if marks.iter().any(|&mark| mark <= position && newest.is_none_or(|newest| mark > newest)) {
                self.solver.push();
                self.scopes.push(position);
            }
            self.solver.assert(translator.formula(formula));
            self.asserted.push(formula);
        }
    }
}

impl<'p> Z3Tier<'p> {
    pub fn new(pool: &'p TermPool, budget: Budget, watch: &Watch) -> Self {
        Z3Tier {
            pool,
            translator: Translator::new(pool),
            budget,
            stack: Follower::new(&budget),
            one_shot: OneShot { solver: fast_solver(&budget), open: false },
            opinion: None,
            literals: FxHashMap::default(),
            holder: Holder::Stack,
            _context: watch.attach_z3(),
        }
    }

    /// Answers the query, between `begin` and `end` of the watch.
    pub fn check(&mut self, query: &Query, watch: &Watch, statistics: &mut Statistics) -> Answer {
        let is_float = |node: &Node| matches!(node, Node::Bv(BvOp::Float(..), _));
        if self.pool.has_floats.get() && any(self.pool, query.formulas, is_float) {
            return self.check_floats(query.formulas);
        }
        let answer = match query.marks {
            Some(marks) => self.check_stack(query, marks),
            None => self.check_once(query.formulas),
        };
        if answer != Answer::Unknown || watch.is_interrupted() {
            return answer;
        }
        statistics.second_opinions += 1;
        self.ask_again(query)
    }

    /// Floats are decided by Z3's own choice of strategy, which turns them into bits; it must not know assumptions for that. In
    /// the other configurations a conversion there and back takes minutes instead of a second.
    fn check_floats(&mut self, formulas: &[Term]) -> Answer {
        self.holder = Holder::Floats;
        let solver = z3::Solver::new();
        for &formula in formulas {
            solver.assert(self.translator.formula(formula));
        }
        let answer = answer_of(solver.check());
        self.opinion = Some(solver);
        answer
    }

    /// Starts over with new solvers.
    pub fn replace_solvers(&mut self) {
        self.stack = Follower::new(&self.budget);
        self.one_shot = OneShot { solver: fast_solver(&self.budget), open: false };
        self.opinion = None;
    }

    fn check_once(&mut self, formulas: &[Term]) -> Answer {
        self.holder = Holder::OneShot;
        let OneShot { solver, open } = &mut self.one_shot;
        if *open {
            solver.pop(1);
        }
        solver.push();
        *open = true;
        for &formula in formulas {
            solver.assert(self.translator.formula(formula));
        }
        let answer = answer_of(solver.check());
        if answer == Answer::Unknown {
            self.one_shot = OneShot { solver: fast_solver(&self.budget), open: false };
        }
        answer
    }

    fn check_stack(&mut self, query: &Query, marks: &[usize]) -> Answer {
        self.holder = Holder::Stack;
        self.stack.follow(&mut self.translator, query.stack(), marks);
        let result = if query.assumptions().is_empty() {
            self.stack.close_definitions();
            self.stack.solver.check()
        } else {
            self.define(query.assumptions());
            let literals = self.literals(query.assumptions());
            self.stack.solver.check_assumptions(&literals)
        };
        let answer = answer_of(result);
        if answer == Answer::Unknown {
            self.stack = Follower::new(&self.budget);
        }
        answer
    }

    /// Makes each assumption's literal imply it, in a scope that later queries with the same assumptions reuse.
    fn define(&mut self, assumptions: &[Term]) {
        let known = |defined: &FxHashSet<Term>| assumptions.iter().all(|assumption| defined.contains(assumption));
        if self.stack.defined.as_ref().is_some_and(known) {
            return;
        }
        self.stack.close_definitions();
        self.stack.solver.push();
        let defined: FxHashSet<Term> = assumptions.iter().copied().collect();
        for &assumption in assumptions {
            if let Some(definition) = self.definition(assumption) {
                self.stack.solver.assert(definition);
            }
        }
        self.stack.defined = Some(defined);
    }

    /// `literal ⇒ assumption`, unless the assumption is a literal itself.
    fn definition(&mut self, assumption: Term) -> Option<Bool> {
        let formula = self.translator.formula(assumption);
        let literal = self.literal(assumption);
        (literal != formula).then(|| literal.implies(formula))
    }

    fn literal(&mut self, assumption: Term) -> Bool {
        if let Some(literal) = self.literals.get(&assumption) {
            return literal.clone();
        }
        let is_var = |term: Term| matches!(self.pool.node(term), Node::Var(_));
        let literal = match self.pool.node(assumption) {
            Node::Var(_) => self.translator.formula(assumption),
            Node::Not(inner) if is_var(*inner) => self.translator.formula(assumption),
            _ => Bool::fresh_const("assume"),
        };
        self.literals.insert(assumption, literal.clone());
        literal
    }

    fn literals(&mut self, assumptions: &[Term]) -> Vec<Bool> {
        assumptions.iter().map(|&assumption| self.literal(assumption)).collect()
    }

    /// Asks a fresh solver with Z3's default strategy.
    fn ask_again(&mut self, query: &Query) -> Answer {
        self.holder = Holder::Opinion;
        let solver = z3::Solver::new();
        let mut params = Params::new();
        params.set_u32("rlimit", self.budget.rlimit);
        solver.set_params(&params);
        for &formula in query.stack() {
            solver.assert(self.translator.formula(formula));
        }
        for &assumption in query.assumptions() {
            if let Some(definition) = self.definition(assumption) {
                solver.assert(definition);
            }
        }
        let literals = self.literals(query.assumptions());
        let result = if literals.is_empty() { solver.check() } else { solver.check_assumptions(&literals) };
        self.opinion = Some(solver);
        answer_of(result)
    }

    fn holder(&self) -> Option<&z3::Solver> {
        match self.holder {
            Holder::Stack => Some(&self.stack.solver),
            Holder::OneShot => Some(&self.one_shot.solver),
            Holder::Opinion | Holder::Floats => self.opinion.as_ref(),
        }
    }

    /// The assumptions that the last answer, unsat, used.
    pub fn core(&mut self, assumptions: &[Term]) -> Vec<Term> {
        if matches!(self.holder, Holder::Floats) {
            return assumptions.to_vec();
        }
        let address = |literal: &Bool| literal.get_z3_ast().as_ptr() as usize;
        let used: FxHashSet<usize> =
            self.holder().map(|solver| solver.get_unsat_core().iter().map(address).collect()).unwrap_or_default();
        let mut core = Vec::with_capacity(used.len());
        for &assumption in assumptions {
            let literal = self.literal(assumption);
            if used.contains(&address(&literal)) && !core.contains(&assumption) {
                core.push(assumption);
            }
        }
        core
    }

    /// The model of the last answer, sat.
    pub fn model(&mut self, formulas: &[Term]) -> Option<Model> {
        let found = self.holder()?.get_model()?;
        let mut values = Z3Values { pool: self.pool, model: &found, elements: Elements::default() };
        let (pool, translator) = (self.pool, &mut self.translator);
        model::build(pool, formulas, |term| {
            let sort: Sort = pool.sort_of(term);
            values.value(translator.term(term), sort)
        })
    }
}

/// A solver without Z3's own look at each query. (Its older arithmetic, `arith.solver=2`, would take a quarter less time
/// on small queries, but runs into the time limit on a few remainders of unbounded variables.)
fn fast_solver(budget: &Budget) -> z3::Solver {
    let solver = z3::Solver::new();
    let mut params = Params::new();
    params.set_bool("auto_config", false);
    params.set_u32("rlimit", budget.rlimit);
    solver.set_params(&params);
    solver
}

fn answer_of(result: SatResult) -> Answer {
    match result {
        SatResult::Sat => Answer::Sat,
        SatResult::Unsat => Answer::Unsat,
        SatResult::Unknown => Answer::Unknown,
    }
}
