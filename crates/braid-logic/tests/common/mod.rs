//! Z3 as the oracle of the native tier, and a small reproducible source of random numbers.
#![allow(dead_code, reason = "each test and benchmark uses its part")]

pub mod programs;

use braid_logic::{Integer, Linear, Node, Sort, SortKind, Term, TermPool};
use std::collections::HashMap;
use z3::ast::{Array, Ast, Bool, Dynamic, Int};

/// Terms of a pool as Z3's, each translated once.
pub struct Oracle<'p> {
    pool: &'p TermPool,
    done: HashMap<Term, Dynamic>,
    solver: z3::Solver,
}

impl<'p> Oracle<'p> {
    pub fn new(pool: &'p TermPool) -> Self {
        let solver = z3::Solver::new();
        let mut limits = z3::Params::new();
        limits.set_u32("rlimit", 2_000_000);
        solver.set_params(&limits);
        Oracle { pool, done: HashMap::new(), solver }
    }

    /// Z3's verdict on a conjunction; None if it has none.
    pub fn check(&mut self, formulas: &[Term]) -> Option<bool> {
        self.solver.push();
        for &formula in formulas {
            let formula = self.bool(formula);
            self.solver.assert(&formula);
        }
        let verdict = self.solver.check();
        self.solver.pop(1);
        match verdict {
            z3::SatResult::Sat => Some(true),
            z3::SatResult::Unsat => Some(false),
            z3::SatResult::Unknown => None,
        }
    }

    fn sort(&self, sort: Sort) -> z3::Sort {
        match self.pool.sort_kind(sort) {
            SortKind::Bool => z3::Sort::bool(),
            SortKind::Int => z3::Sort::int(),
            SortKind::Array { index, element } => z3::Sort::array(&self.sort(*index), &self.sort(*element)),
            other => unreachable!("the generator does not make {other:?}"),
        }
    }

    pub fn bool(&mut self, term: Term) -> Bool {
        self.translate(term).as_bool().expect("a formula")
    }

    fn int(&mut self, term: Term) -> Int {
        self.translate(term).as_int().expect("an integer")
    }

    fn array(&mut self, term: Term) -> Array {
        self.translate(term).as_array().expect("an array")
    }

    fn numeral(value: &Integer) -> Int {
        match value.to_i64() {
            Some(value) => Int::from_i64(value),
            None => value.to_string().parse().expect("a numeral"),
        }
    }

    fn sum(&mut self, linear: &Linear) -> Int {
        let mut items = vec![Self::numeral(&linear.constant)];
        for (part, c) in &linear.parts {
            items.push(Int::mul(&[Self::numeral(c), self.int(*part)]));
        }
        Int::add(&items)
    }

    fn translate(&mut self, term: Term) -> Dynamic {
        if let Some(done) = self.done.get(&term) {
            return done.clone();
        }
        let pool = self.pool;
        let result: Dynamic = match pool.node(term) {
            Node::True => Bool::from_bool(true).into(),
            Node::False => Bool::from_bool(false).into(),
            Node::Integer(value) => Self::numeral(value).into(),
            Node::Var(var) => {
                let name = pool.var_name(*var);
                match pool.sort_kind(pool.var_sort(*var)) {
                    SortKind::Bool => Bool::new_const(name).into(),
                    SortKind::Int => Int::new_const(name).into(),
                    SortKind::Array { index, element } => {
                        Array::new_const(name, &self.sort(*index), &self.sort(*element)).into()
                    }
                    other => unreachable!("the generator does not make {other:?}"),
                }
            }
            Node::Not(a) => self.bool(*a).not().into(),
            Node::And(items) => Bool::and(&items.iter().map(|&i| self.bool(i)).collect::<Vec<_>>()).into(),
            Node::Or(items) => Bool::or(&items.iter().map(|&i| self.bool(i)).collect::<Vec<_>>()).into(),
            Node::Ite(c, a, b) => {
                let (c, a, b) = (self.bool(*c), self.translate(*a), self.translate(*b));
                c.ite(&a, &b)
            }
            Node::Eq(a, b) => {
                let (a, b) = (self.translate(*a), self.translate(*b));
                a.eq(&b).into()
            }
            Node::Le(linear) => self.sum(linear).le(Int::from_i64(0)).into(),
            Node::Zero(linear) => self.sum(linear).eq(Int::from_i64(0)).into(),
            Node::Sum(linear) => self.sum(linear).into(),
            Node::Product(items) => Int::mul(&items.iter().map(|&i| self.int(i)).collect::<Vec<_>>()).into(),
            Node::Div(a, b) => {
                let (a, b) = (self.int(*a), self.int(*b));
                a.div(b).into()
            }
            Node::Mod(a, b) => {
                let (a, b) = (self.int(*a), self.int(*b));
                a.modulo(b).into()
            }
            Node::Apply(fun, arguments) => {
                let (sorts, result) = pool.fun_signature(*fun);
                let sorts: Vec<z3::Sort> = sorts.iter().map(|&s| self.sort(s)).collect();
                let result = self.sort(result);
                let decl = z3::FuncDecl::new(pool.fun_name(*fun), &sorts.iter().collect::<Vec<_>>(), &result);
                let arguments: Vec<Dynamic> = arguments.iter().map(|&a| self.translate(a)).collect();
                decl.apply(&arguments.iter().map(|a| a as &dyn Ast).collect::<Vec<_>>())
            }
            Node::Select(a, i) => {
                let (a, i) = (self.array(*a), self.int(*i));
                a.select(&i)
            }
            Node::Store(a, i, v) => {
                let (a, i, v) = (self.array(*a), self.int(*i), self.translate(*v));
                a.store(&i, &v).into()
            }
            Node::ConstArray(v) => {
                let v = self.translate(*v);
                Array::const_array(&z3::Sort::int(), &v).into()
            }
            other => unreachable!("the generator does not make {other:?}"),
        };
        self.done.insert(term, result.clone());
        result
    }
}

/// Marsaglia's xorshift: reproducible and good enough for tests.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11
    }

    /// A number below the limit.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// A number in the closed range.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}
