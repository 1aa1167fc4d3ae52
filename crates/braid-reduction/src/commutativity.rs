//! Which actions commute, asked in rising price: never in one thread or across a fork or join; always on disjoint
//! accesses; else by the solver, without or with an assertion that is known to hold (paper 1, Definition 7.3).
//!
//! `unknown` of the solver is "no". Invariant: with the language of a program, swapping two adjacent actions that
//! commute unconditionally gives a word of the same language, with the same meaning.

use crate::sight::Sight;
use braid_logic::{Answer, Solver, Substitution, Term, TermPool, Var};
use braid_program::cfa::{Action, ActionId, Program, Relation};
use rustc_hash::FxHashMap;

/// How much commutativity to look for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CommutativityMode {
    /// Nothing commutes.
    None,
    /// Disjoint accesses commute.
    Syntactic,
    /// What the solver proves to commute, commutes.
    Semantic,
    /// Also under what is known to hold.
    ProofSensitive,
}

/// Commutativity of the actions of one program.
pub struct Commutativity {
    mode: CommutativityMode,
    /// What is seen, if not all is.
    sight: Option<Sight>,
    /// Pairs, the smaller action first.
    unconditional: FxHashMap<(ActionId, ActionId), bool>,
    conditional: FxHashMap<(ActionId, ActionId, Term), bool>,
}

impl Commutativity {
    /// Nothing is known yet.
    pub fn new(mode: CommutativityMode) -> Commutativity {
        Commutativity { mode, sight: None, unconditional: FxHashMap::default(), conditional: FxHashMap::default() }
    }

    /// Commutativity in the program that is seen.
    pub fn seeing(mode: CommutativityMode, sight: Sight) -> Commutativity {
        Commutativity { sight: Some(sight), ..Commutativity::new(mode) }
    }

    /// What is seen, if not all is.
    pub fn sight(&self) -> Option<&Sight> {
        self.sight.as_ref()
    }

    /// Do the actions commute in every state?
    pub fn always(&mut self, solver: &mut Solver<'_>, program: &Program<'_>, a: ActionId, b: ActionId) -> bool {
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.unconditional.get(&key) {
            return known;
        }
        let answer = self.decide(solver, program, key, Term::TRUE);
        self.unconditional.insert(key, answer);
        answer
    }

    /// Do the actions commute in every state where the formula holds? It is asked for only where that matters.
    pub fn under(
        &mut self,
        solver: &mut Solver<'_>,
        program: &Program<'_>,
        (a, b): (ActionId, ActionId),
        condition: impl FnOnce([ActionId; 2]) -> Term,
    ) -> bool {
        if self.always(solver, program, a, b) {
            return true;
        }
        let (x, y) = (program.action(a), program.action(b));
        if self.mode < CommutativityMode::ProofSensitive || structurally_dependent(x, y) {
            return false;
        }
        let condition = condition([a, b]);
        if condition == Term::TRUE {
            return false;
        }
        let key = (a.min(b), a.max(b), condition);
        if let Some(&known) = self.conditional.get(&key) {
            return known;
        }
        let answer = self.decide(solver, program, (key.0, key.1), condition);
        self.conditional.insert(key, answer);
        answer
    }

    fn decide(
        &mut self,
        solver: &mut Solver<'_>,
        program: &Program<'_>,
        (a, b): (ActionId, ActionId),
        condition: Term,
    ) -> bool {
        let pool = program.pool;
        let (a, b) = (program.action(a), program.action(b));
        if self.mode == CommutativityMode::None || structurally_dependent(a, b) {
            return false;
        }
        let (x, y) = (a.relation(pool), b.relation(pool));
        let sight = self.sight.as_ref();
        let seen = |var: &Var| sight.is_none_or(|sight| sight.sees(*var));
        let differ = |var: &Var| sight.is_none_or(|sight| sight.sees(*var) && !sight.assign_alike(pool, (x, y), *var));
        if !touches(x, y, differ) && !touches(y, x, differ) {
            return true;
        }
        // With values that are chosen anew, what commutes for the same values need not.
        let all_seen = [x, y].iter().all(|relation| relation.reads.iter().chain(&relation.writes).all(seen));
        if self.mode == CommutativityMode::Syntactic || !all_seen {
            return false;
        }
        let formulas = difference(pool, x, y, condition, differ);
        formulas.iter().all(|formulas| solver.decide(formulas) == Answer::Unsat)
    }
}

/// Of one thread, or one forks or joins what the other is part of, forks or joins.
pub(crate) fn structurally_dependent(a: &Action, b: &Action) -> bool {
    let moved = |action: &Action| {
        [action.thread].into_iter().chain(action.forks.iter().copied()).chain(action.joins.iter().copied()).collect()
    };
    let (first, second): (Vec<_>, Vec<_>) = (moved(a), moved(b));
    first.iter().any(|thread| second.contains(thread))
}

/// Does one write a variable that the other accesses, where that matters?
fn touches(writer: &Relation, other: &Relation, matters: impl Fn(&Var) -> bool) -> bool {
    let accesses = |var| other.reads.binary_search(var).is_ok() || other.writes.binary_search(var).is_ok();
    writer.writes.iter().any(|var| accesses(var) && matters(var))
}

/// Formulas of which one is satisfiable (each list as a conjunction) iff `x; y` and `y; x` differ under the condition, in variables that matter.
fn difference(
    pool: &TermPool,
    x: &Relation,
    y: &Relation,
    condition: Term,
    matters: impl Fn(&Var) -> bool,
) -> Vec<Vec<Term>> {
    let (xy, yx) = (composed(pool, x, y), composed(pool, y, x));
    let mut written: Vec<Var> = x.writes.iter().chain(&y.writes).copied().collect();
    written.sort_unstable();
    written.dedup();
    written.retain(matters);
    let value = |updates: &Substitution, var: Var| updates.get(&var).copied().unwrap_or_else(|| pool.of_var(var));
    let differs = pool.or(written.iter().map(|&var| pool.not(pool.eq(value(&xy.1, var), value(&yx.1, var)))));
    let mut formulas = Vec::new();
    for parts in [[xy.0, pool.not(yx.0)], [yx.0, pool.not(xy.0)], [xy.0, differs]] {
        if pool.and(parts) != Term::FALSE {
            formulas.push(vec![condition, parts[0], parts[1]]);
        }
    }
    formulas
}

/// `first; second` as a guard and updates over the state before.
fn composed(pool: &TermPool, first: &Relation, second: &Relation) -> (Term, Substitution) {
    let before: Substitution = first.updates.iter().copied().collect();
    let guard = pool.and([first.guard, pool.substitute(second.guard, &before)]);
    let mut updates = before.clone();
    updates.extend(second.updates.iter().map(|(var, term)| (*var, pool.substitute(*term, &before))));
    (guard, updates)
}
