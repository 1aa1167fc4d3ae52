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
mod search;
mod simplex;

pub use farkas::{Relation, farkas};

use crate::number::Integer;
use crate::pool::TermPool;
use crate::term::Term;
use crate::value::Model;
use library::Library;
use query::Query;

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
