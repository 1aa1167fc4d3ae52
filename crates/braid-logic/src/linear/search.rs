//! The search: propagate, assert bounds, repair the simplex, decide, and only then ask for integers and axioms.
//!
//! Each step either is quiet, or learns or decides something, after which the round starts over; a round in which all are
//! quiet has found a model. All budgets are counts, never clocks, so that answers are reproducible.

use super::query::{Meaning, Query};
use super::sat::{self, Lit, Reason};
use super::simplex::{Column, Feasibility, Side};
use super::{LinearSolver, NativeAnswer};
use crate::number::Integer;
use crate::rational::Rational;

/// Entries of the simplex's matrix changed per query.
pub(super) const MAX_WORK: u32 = 400_000;
/// Conflicts per query.
const MAX_CONFLICTS: u32 = 1_000;
/// Decisions per query.
const MAX_DECISIONS: u32 = 10_000;
/// Branches and cuts on fractional values per query.
const MAX_BRANCHES: u32 = 100;
/// Products made linear per query.
pub(super) const MAX_LINEARISATIONS: u32 = 20;
/// Instances of axioms per query.
const MAX_LEMMAS: u32 = 500;

/// How a step of the search ended.
pub(super) enum Step {
    /// Something was learned or decided: start over with propagation.
    Again,
    /// Nothing to do here.
    Quiet,
    Unsat,
    GiveUp,
}

impl LinearSolver<'_> {
    pub(super) fn search(&mut self) -> NativeAnswer {
        let (mut decisions, mut branches) = (0, 0);
        loop {
            if self.query.sat.conflicts > MAX_CONFLICTS || decisions > MAX_DECISIONS || self.lemmas > MAX_LEMMAS {
                return NativeAnswer::GiveUp;
            }
            if !self.query.sat.propagate() {
                return self.core();
            }
            let mut step = self.assert_bounds();
            if matches!(step, Step::Quiet) {
                step = self.check_simplex();
            }
            if matches!(step, Step::Quiet) {
                step = self.decide(&mut decisions);
            }
            if matches!(step, Step::Quiet) {
                step = self.split_disequalities();
            }
            if matches!(step, Step::Quiet) {
                step = self.branch(&mut branches);
            }
            if matches!(step, Step::Quiet) {
                step = self.respect_axioms();
            }
            match step {
                Step::Again => {}
                Step::Quiet => {
                    debug_assert!(self.model_holds(), "a model satisfies its formulas");
                    return NativeAnswer::Sat;
                }
                Step::Unsat => return self.core(),
                Step::GiveUp => return NativeAnswer::GiveUp,
            }
        }
    }

    /// Hands new literals of the trail to the simplex, and propagates bounds to comparisons of the same column.
    fn assert_bounds(&mut self) -> Step {
        let query = &mut self.query;
        if query.sat.low_water < self.marks.len() {
            query.simplex.undo_to(self.marks[query.sat.low_water]);
            self.marks.truncate(query.sat.low_water);
        }
        query.sat.low_water = usize::MAX;
        while let Some(&lit) = query.sat.trail.get(self.marks.len()) {
            self.marks.push(query.simplex.mark());
            let positive = lit.is_positive();
            let (column, side, limit, both) = match (&query.meaning[lit.var()], positive) {
                (Meaning::AtMost(column, limit), true) => (*column, Side::Upper, Rational::from(limit), false),
                (Meaning::AtMost(column, limit), false) => {
                    (*column, Side::Lower, Rational::from(&(limit + &Integer::ONE)), false)
                }
                (Meaning::AtLeast(column, limit), true) => (*column, Side::Lower, Rational::from(limit), false),
                (Meaning::AtLeast(column, limit), false) => {
                    (*column, Side::Upper, Rational::from(&(limit - &Integer::ONE)), false)
                }
                (Meaning::Equal(column, value), true) => (*column, Side::Upper, Rational::from(value), true),
                _ => continue,
            };
            let mut tighter = query.simplex.assert_bound(column, side, &limit, lit.code());
            if let Ok(first) = tighter
                && both
            {
                tighter =
                    query.simplex.assert_bound(column, Side::Lower, &limit, lit.code()).map(|second| first || second);
            }
            match tighter {
                Ok(false) => {}
                Ok(true) => {
                    if !propagate_column(query, column) {
                        return self.resolve();
                    }
                }
                Err(()) => return self.simplex_conflict(),
            }
        }
        if query.sat.has_news() { Step::Again } else { Step::Quiet }
    }

    fn check_simplex(&mut self) -> Step {
        match self.query.simplex.check() {
            Feasibility::Feasible => Step::Quiet,
            Feasibility::Exhausted => Step::GiveUp,
            Feasibility::Infeasible => self.simplex_conflict(),
        }
    }

    /// Turns a clash of bounds into a false clause, and resolves it.
    fn simplex_conflict(&mut self) -> Step {
        let query = &mut self.query;
        query.sat.conflict.clear();
        query.sat.conflict_support.fill(0);
        for (reason, _) in &query.simplex.conflict {
            query.sat.add_to_conflict(!Lit::from_code(*reason));
        }
        self.resolve()
    }

    fn resolve(&mut self) -> Step {
        if self.query.sat.resolve() { Step::Again } else { Step::Unsat }
    }

    /// Tries a literal of a clause that is not satisfied yet, preferring one that holds in the current solution.
    fn decide(&mut self, decisions: &mut u32) -> Step {
        let query = &mut self.query;
        let Some(clause) = query.sat.open_clause() else { return Step::Quiet };
        let mut choice: Option<(Lit, u32)> = None;
        for lit in clause {
            let rank = match holds(query, lit) {
                Some(true) => 0,
                None => 1,
                Some(false) => 2,
            };
            if choice.is_none_or(|(_, best)| rank < best) {
                choice = Some((lit, rank));
            }
        }
        match choice {
            Some((lit, _)) => {
                *decisions += 1;
                query.sat.decide(lit);
                Step::Again
            }
            None => {
                query.sat.open_clause_is_false();
                self.resolve()
            }
        }
    }

    /// Splits `column ≠ value` into below and above where the current solution sits on the value.
    fn split_disequalities(&mut self) -> Step {
        let query = &mut self.query;
        let mut found = None;
        for &lit in &query.sat.trail {
            if let Meaning::Equal(column, value) = &query.meaning[lit.var()]
                && !lit.is_positive()
                && query.simplex.value(*column) == &Rational::from(value)
            {
                found = Some((lit, *column, value.clone()));
                break;
            }
        }
        let Some((lit, column, value)) = found else { return Step::Quiet };
        let mut support = query.sat.premise(lit.var()).to_vec();
        let below = query.at_most(column, &(&value - &Integer::ONE), &mut support);
        let above = !query.at_most(column, &value, &mut support);
        self.add_lemma(&[!lit, below, above], &support)
    }

    pub(super) fn add_lemma(&mut self, clause: &[Lit], support: &[u64]) -> Step {
        self.lemmas += 1;
        debug_assert!(clause.iter().all(|&lit| !self.query.sat.is_true(lit)), "a lemma is violated");
        if self.query.sat.add_clause(clause, support) { Step::Again } else { Step::Unsat }
    }

    /// Cuts off, or branches on, a fractional value.
    fn branch(&mut self, branches: &mut u32) -> Step {
        let query = &mut self.query;
        let fractional = (0..query.elimination.variable_count() as u32)
            .filter_map(|variable| query.known_column(variable))
            .find(|&column| !query.simplex.value(column).is_integer());
        let Some(column) = fractional else { return Step::Quiet };
        if *branches == MAX_BRANCHES {
            return Step::GiveUp;
        }
        *branches += 1;
        if *branches % 8 == 1 {
            let found = self.query.simplex.unit_cube();
            if found || matches!(self.check_simplex(), Step::GiveUp) {
                return if found { Step::Again } else { Step::GiveUp };
            }
            if self.query.simplex.value(column).is_integer() {
                return Step::Again;
            }
        }
        let mut lemma = self.new_lemma();
        // Cuts alone may converge slowly: every third step branches.
        let cut = if branches.is_multiple_of(3) { None } else { self.query.simplex.gomory_cut(column) };
        if let Some((parts, limit)) = cut {
            for (reason, _) in &self.query.simplex.conflict {
                let bound = Lit::from_code(*reason);
                sat::unite(&mut lemma.support, self.query.sat.premise(bound.var()));
                lemma.clause.push(!bound);
            }
            let cut = self.query.cut(&parts, &limit, &mut lemma.support);
            lemma.clause.extend(cut);
            return self.add(&lemma);
        }
        let floor = self.query.simplex.value(column).floor();
        let below = self.query.at_most(column, &floor, &mut lemma.support);
        if !self.query.sat.is_open(below) {
            return Step::GiveUp;
        }
        self.query.sat.decide(below);
        Step::Again
    }

    /// Adds instances of the axioms of functions, arrays and products that the current solution violates.
    fn respect_axioms(&mut self) -> Step {
        if self.query.reads.is_empty() && self.query.products.is_empty() && self.query.entered_arrays.is_empty() {
            return Step::Quiet;
        }
        let mut values = std::mem::take(&mut self.values);
        self.query.values(&mut values);
        let mut step = self.respect_congruence(&values);
        if matches!(step, Step::Quiet) {
            step = self.respect_products(&values);
        }
        if matches!(step, Step::Quiet) {
            step = self.respect_arrays(&values);
        }
        self.values = values;
        step
    }
}

/// Does the literal hold in the current solution of the simplex? None if that does not say.
fn holds(query: &Query, lit: Lit) -> Option<bool> {
    let truth = match &query.meaning[lit.var()] {
        Meaning::AtMost(column, limit) => query.simplex.value(*column) <= &Rational::from(limit),
        Meaning::AtLeast(column, limit) => query.simplex.value(*column) >= &Rational::from(limit),
        Meaning::Equal(column, value) => query.simplex.value(*column) == &Rational::from(value),
        Meaning::Boolean | Meaning::Untranslated => return None,
    };
    Some(truth == lit.is_positive())
}

/// Makes the comparisons true that the bounds of their column imply. False: one is false; the conflict is prepared.
fn propagate_column(query: &mut Query, column: Column) -> bool {
    let tag = |side| query.simplex.bound(column, side).map(|bound| (&bound.value, Lit::from_code(bound.reason)));
    let (lower, upper) = (tag(Side::Lower), tag(Side::Upper));
    for at in 0..query.bounds_on[column as usize].len() {
        let var = query.bounds_on[column as usize][at];
        let lit = Lit::new(var, true);
        let equality = matches!(query.meaning[var as usize], Meaning::Equal(..));
        let unsettled = query.sat.is_open(lit) || equality && query.sat.is_false(lit);
        if !unsettled {
            continue;
        }
        let (low, high) = match &query.meaning[var as usize] {
            Meaning::AtMost(_, limit) => (None, Some(Rational::from(limit))),
            Meaning::AtLeast(_, limit) => (Some(Rational::from(limit)), None),
            Meaning::Equal(_, value) => (Some(Rational::from(value)), Some(Rational::from(value))),
            Meaning::Boolean | Meaning::Untranslated => continue,
        };
        // The proposition says low ≤ column ≤ high.
        let above = high.as_ref().and_then(|high| lower.filter(|(value, _)| *value > high));
        let below = low.as_ref().and_then(|low| upper.filter(|(value, _)| *value < low));
        let implied = if let Some((_, reason)) = above.or(below) {
            Some((!lit, reason, reason))
        } else {
            let from_low = low.as_ref().map(|low| lower.filter(|(value, _)| *value >= low));
            let from_high = high.as_ref().map(|high| upper.filter(|(value, _)| *value <= high));
            match (from_low, from_high) {
                (Some(Some((_, a))), Some(Some((_, b)))) => Some((lit, a, b)),
                (Some(Some((_, a))), None) | (None, Some(Some((_, a)))) => Some((lit, a, a)),
                _ => None,
            }
        };
        let Some((implied, a, b)) = implied else { continue };
        if query.sat.is_open(implied) {
            query.sat.enqueue(implied, Reason::Bounds(a, b));
        } else if query.sat.is_false(implied) {
            query.sat.conflict.clear();
            query.sat.conflict_support.fill(0);
            query.sat.add_to_conflict(implied);
            query.sat.add_to_conflict(!a);
            query.sat.add_to_conflict(!b);
            return false;
        }
    }
    true
}
