//! The native decision tier: small queries of linear integer arithmetic, decided exactly and in microseconds.
//!
//! A DPLL(T) loop in the manner of Dutertre and de Moura: clauses over comparisons, integer elimination of the equations
//! that hold anyway, the general simplex for the rest, branching for integers, and instances of congruence and of the
//! array axioms where a candidate solution violates them.
//! Invariant: `Unsat` comes with a derivation, `Sat` with a model; whatever takes too long or is not understood is
//! `GiveUp`, never a guess.

mod arrays;
mod bounds;
mod congruence;
mod eliminate;
mod farkas;
mod integers;
mod library;
mod model;
mod query;
mod sat;
mod simplex;

pub use farkas::{Relation, farkas};

use crate::number::Integer;
use crate::pool::TermPool;
use crate::rational::Rational;
use crate::term::Term;
use crate::value::Model;
use library::Library;
use query::{Meaning, Query};
use sat::{Lit, Reason};
use simplex::{Column, Feasibility, Side};

/// Entries of the simplex's matrix changed per query.
const MAX_WORK: u32 = 400_000;
/// Conflicts per query.
const MAX_CONFLICTS: u32 = 1_000;
/// Decisions per query.
const MAX_DECISIONS: u32 = 10_000;
/// Branches and cuts on fractional values per query.
const MAX_BRANCHES: u32 = 100;
/// Products made linear per query.
const MAX_LINEARISATIONS: u32 = 20;
/// Instances of axioms per query.
const MAX_LEMMAS: u32 = 500;

/// What the native tier says about a conjunction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NativeAnswer {
    /// There is a model: see [`LinearSolver::model`].
    Sat,
    /// The formulas at these indices contradict each other.
    Unsat(Vec<usize>),
    /// Outside what this tier handles, or beyond its budget.
    GiveUp,
}

/// The native solver of one pool. Keeps what it worked out about each term, and its allocations, between calls.
pub struct LinearSolver<'p> {
    pool: &'p TermPool,
    library: Library,
    query: Query,
    /// The formulas of the last call, by number in the library.
    prepared: Vec<u32>,
    formulas: Vec<Term>,
    /// Per literal of the trail that the simplex has seen: the mark to undo it.
    marks: Vec<usize>,
    /// Values of the elimination's variables in the last candidate solution.
    values: Vec<Integer>,
    array_model: arrays::ArrayModel,
    /// Instances of axioms added.
    lemmas: u32,
    /// Products made linear.
    linearisations: u32,
}

/// How a step of the search ended.
enum Step {
    /// Something was learned or decided: start over with propagation.
    Again,
    /// Nothing to do here.
    Quiet,
    Unsat,
    GiveUp,
}

impl<'p> LinearSolver<'p> {
    /// A solver for formulas of the given pool.
    pub fn new(pool: &'p TermPool) -> Self {
        LinearSolver {
            pool,
            library: Library::new(),
            query: Query::default(),
            prepared: Vec::new(),
            formulas: Vec::new(),
            marks: Vec::new(),
            values: Vec::new(),
            array_model: arrays::ArrayModel::default(),
            lemmas: 0,
            linearisations: 0,
        }
    }

    /// Decides the conjunction of the formulas; quick to give up on what it does not handle.
    pub fn check(&mut self, formulas: &[Term]) -> NativeAnswer {
        self.prepared.clear();
        self.formulas.clear();
        self.formulas.extend_from_slice(formulas);
        for &formula in formulas {
            match self.library.prepare(self.pool, formula) {
                Some(id) => self.prepared.push(id),
                None => return NativeAnswer::GiveUp,
            }
        }
        self.query.reset(&self.library, formulas.len());
        self.marks.clear();
        self.lemmas = 0;
        self.linearisations = 0;
        for (index, &prepared) in self.prepared.iter().enumerate() {
            if !self.query.enter_formula(&self.library, prepared, index) {
                return self.core();
            }
        }
        if !self.query.translate(&self.library) {
            return self.core();
        }
        self.search()
    }

    /// After [`NativeAnswer::Sat`]: a model of the last call's formulas over all their free variables and functions.
    pub fn model(&mut self) -> Model {
        self.query.values(&mut self.values);
        self.build_model_from(&self.values)
    }

    /// Does evaluation confirm the model?
    fn model_holds(&mut self) -> bool {
        let model = self.model();
        self.formulas.iter().all(|&formula| self.pool.holds_in(formula, &model) == Some(true))
    }

    /// The input formulas of the final conflict.
    fn core(&self) -> NativeAnswer {
        let words = &self.query.sat.conflict_support;
        let members = (0..self.formulas.len()).filter(|index| words[index / 64] >> (index % 64) & 1 == 1);
        NativeAnswer::Unsat(members.collect())
    }

    fn search(&mut self) -> NativeAnswer {
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

    fn add_lemma(&mut self, clause: &[Lit], support: &[u64]) -> Step {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;

    /// The verdict on formulas over integers x, y, z, Booleans p, q, a function f and arrays a, b.
    fn check(formulas: impl Fn(&Names) -> Vec<Term>, expected: NativeAnswer) {
        let pool = TermPool::new();
        let formulas = formulas(&Names(&pool));
        let mut solver = LinearSolver::new(&pool);
        // Twice, for the second call finds the first one's tables.
        for _ in 0..2 {
            assert_eq!(solver.check(&formulas), expected);
            if expected == NativeAnswer::Sat {
                let model = solver.model();
                assert!(formulas.iter().all(|&formula| pool.holds_in(formula, &model) == Some(true)), "{model:?}");
            }
        }
    }

    struct Names<'p>(&'p TermPool);

    impl Names<'_> {
        fn int(&self, name: &str) -> Term {
            self.0.symbol(name, Sort::INT)
        }

        fn flag(&self, name: &str) -> Term {
            self.0.symbol(name, Sort::BOOL)
        }

        fn array(&self, name: &str) -> Term {
            self.0.symbol(name, self.0.array_sort(Sort::INT, Sort::INT))
        }

        fn f(&self, argument: Term) -> Term {
            self.0.apply(self.0.fun("f", &[Sort::INT], Sort::INT), &[argument])
        }

        fn plus(&self, term: Term, number: i64) -> Term {
            self.0.add([term, self.0.int(number)])
        }
    }

    #[test]
    fn nothing_is_satisfiable_and_false_is_not() {
        check(|_| vec![], NativeAnswer::Sat);
        check(|_| vec![Term::TRUE, Term::FALSE], NativeAnswer::Unsat(vec![1]));
    }

    #[test]
    fn a_core_leaves_out_what_is_not_needed() {
        check(
            |n| {
                let (x, y, z) = (n.int("x"), n.int("y"), n.int("z"));
                vec![n.flag("p"), n.0.le(x, y), n.0.eq(z, n.plus(y, 1)), n.0.le(n.int("u"), x), n.0.le(z, x)]
            },
            NativeAnswer::Unsat(vec![1, 2, 4]),
        );
    }

    #[test]
    fn integers_are_not_rationals() {
        check(
            |n| {
                let (x, y) = (n.int("x"), n.int("y"));
                let twice = |t| n.0.add([t, t]);
                vec![n.0.le(twice(x), twice(y)), n.0.lt(twice(y), n.plus(twice(x), 2)), n.0.not(n.0.eq(x, y))]
            },
            NativeAnswer::Unsat(vec![0, 1, 2]),
        );
    }

    #[test]
    fn equations_without_unit_coefficients_are_solved() {
        let equation = |n: &Names, constant: i64| {
            let scaled = |c: i64, name: &str| n.0.scale(&c.into(), n.int(name));
            n.0.eq(n.0.add([scaled(6, "x"), scaled(10, "y"), scaled(15, "z")]), n.0.int(constant))
        };
        check(|n| vec![equation(n, 1), n.0.ge(n.int("x"), n.0.int(100))], NativeAnswer::Sat);
        check(|n| vec![equation(n, 1), n.0.eq(n.int("z"), n.0.int(4))], NativeAnswer::Unsat(vec![0, 1]));
    }

    #[test]
    fn equal_arguments_give_equal_results() {
        check(
            |n| {
                let (x, y) = (n.int("x"), n.int("y"));
                vec![n.0.le(x, y), n.0.le(y, x), n.0.lt(n.f(x), n.f(y))]
            },
            NativeAnswer::Unsat(vec![0, 1, 2]),
        );
        check(|n| vec![n.0.lt(n.f(n.int("x")), n.f(n.int("y")))], NativeAnswer::Sat);
    }

    #[test]
    fn writes_are_read_back() {
        let written = |n: &Names| n.0.eq(n.array("b"), n.0.store(n.array("a"), n.int("x"), n.int("y")));
        let read = |n: &Names, at| n.0.select(n.array("b"), n.int(at));
        check(|n| vec![written(n), n.0.lt(read(n, "x"), n.int("y"))], NativeAnswer::Unsat(vec![0, 1]));
        check(|n| vec![written(n), n.0.lt(read(n, "z"), n.int("y"))], NativeAnswer::Sat);
        check(
            |n| {
                let same = n.0.eq(n.array("a"), n.array("b"));
                let old = n.0.select(n.array("a"), n.int("x"));
                vec![written(n), n.0.not(same), n.0.eq(old, n.int("y"))]
            },
            NativeAnswer::Unsat(vec![0, 1, 2]),
        );
    }

    #[test]
    fn choices_and_divisions_are_taken_apart() {
        check(
            |n| {
                let (x, y) = (n.int("x"), n.int("y"));
                let larger = n.0.ite(n.0.le(x, y), y, x);
                vec![n.0.lt(larger, x), n.flag("p")]
            },
            NativeAnswer::Unsat(vec![0]),
        );
        check(
            |n| {
                let (x, two) = (n.int("x"), n.0.int(2));
                let next = n.0.modulo(n.plus(x, 1), two);
                vec![n.0.eq(n.0.modulo(x, two), n.0.int(0)), n.0.eq(next, n.0.int(0))]
            },
            NativeAnswer::Unsat(vec![0, 1]),
        );
    }

    #[test]
    fn products_become_linear_where_factors_are_known() {
        check(
            |n| {
                let (x, y) = (n.int("x"), n.int("y"));
                vec![n.0.eq(x, n.0.int(3)), n.0.eq(n.0.mul(x, y), n.0.int(7))]
            },
            NativeAnswer::Unsat(vec![0, 1]),
        );
        check(|n| vec![n.0.eq(n.0.mul(n.int("x"), n.int("y")), n.0.int(0))], NativeAnswer::Sat);
    }

    #[test]
    fn quantifiers_are_left_to_others() {
        check(
            |n| {
                let bound = n.0.var("k", Sort::INT);
                let body = n.0.le(n.0.of_var(bound), n.int("x"));
                vec![n.0.quantify(crate::term::Quantifier::Exists, &[bound], body)]
            },
            NativeAnswer::GiveUp,
        );
    }
}
