//! The native tier against Z3 on random formulas: verdicts agree, models hold, cores are unsatisfiable.

mod common;

use braid_logic::{Fun, LinearSolver, NativeAnswer, Sort, Term, TermPool};
use common::programs::{FAMILIES, Program, trace};
use common::{Oracle, Random};

/// What random formulas are made of.
#[derive(Clone, Copy, Default)]
struct Features {
    functions: bool,
    arrays: bool,
    choices: bool,
    divisions: bool,
    products: bool,
    /// Depth of Boolean structure.
    depth: u32,
    /// Largest coefficient and constant.
    size: i64,
    /// How often a constraint is an equation, in percent.
    equations: u64,
}

struct Generator<'p> {
    pool: &'p TermPool,
    random: Random,
    features: Features,
    ints: Vec<Term>,
    bools: Vec<Term>,
    arrays: Vec<Term>,
    f: Fun,
    g: Fun,
    p: Fun,
}

impl<'p> Generator<'p> {
    fn new(pool: &'p TermPool, seed: u64, features: Features) -> Self {
        let int_array = pool.array_sort(Sort::INT, Sort::INT);
        Generator {
            pool,
            random: Random::new(seed),
            features,
            ints: ["x", "y", "z", "u", "v"].iter().map(|n| pool.symbol(n, Sort::INT)).collect(),
            bools: ["p", "q", "r"].iter().map(|n| pool.symbol(n, Sort::BOOL)).collect(),
            arrays: ["A", "B", "C"].iter().map(|n| pool.symbol(n, int_array)).collect(),
            f: pool.fun("f", &[Sort::INT], Sort::INT),
            g: pool.fun("g", &[Sort::INT, Sort::BOOL], Sort::INT),
            p: pool.fun("holds", &[Sort::INT, Sort::INT], Sort::BOOL),
        }
    }

    fn atom_term(&mut self, depth: u32) -> Term {
        let pool = self.pool;
        let kind = if depth == 0 { 0 } else { self.random.below(12) };
        match kind {
            1 | 2 if self.features.functions => pool.apply(self.f, &[self.int(depth - 1)]),
            3 if self.features.functions => {
                let (a, b) = (self.int(depth - 1), self.condition());
                pool.apply(self.g, &[a, b])
            }
            4..=6 if self.features.arrays => {
                let (a, i) = (self.array(depth - 1), self.int(depth - 1));
                pool.select(a, i)
            }
            7 | 8 if self.features.choices => {
                let (c, a, b) = (self.condition(), self.int(depth - 1), self.int(depth - 1));
                pool.ite(c, a, b)
            }
            9 if self.features.divisions => {
                let (a, m) = (self.int(depth - 1), self.random.range(2, 5));
                let m = pool.int(if self.random.once_in(4) { -m } else { m });
                if self.random.once_in(2) { pool.div(a, m) } else { pool.modulo(a, m) }
            }
            10 if self.features.products => {
                let (a, b) = (self.random.pick(&self.ints), self.random.pick(&self.ints));
                pool.mul(a, b)
            }
            _ => self.random.pick(&self.ints),
        }
    }

    fn int(&mut self, depth: u32) -> Term {
        let mut items = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let c = match self.random.below(3) {
                0 => 1,
                1 => -1,
                _ => self.random.range(-self.features.size, self.features.size),
            };
            let item = self.atom_term(depth);
            items.push(self.pool.scale(&c.into(), item));
        }
        if self.random.once_in(2) {
            items.push(self.pool.int(self.random.range(-self.features.size, self.features.size)));
        }
        self.pool.add(items)
    }

    fn array(&mut self, depth: u32) -> Term {
        let pool = self.pool;
        match if depth == 0 { 0 } else { self.random.below(8) } {
            1..=3 => {
                let (a, i, v) = (self.array(depth - 1), self.int(0), self.int(0));
                pool.store(a, i, v)
            }
            4 if self.features.choices => {
                let (c, a, b) = (self.condition(), self.array(depth - 1), self.array(depth - 1));
                pool.ite(c, a, b)
            }
            5 => {
                let value = self.int(0);
                pool.const_array(pool.array_sort(Sort::INT, Sort::INT), value)
            }
            _ => self.random.pick(&self.arrays),
        }
    }

    /// A small formula inside a term.
    fn condition(&mut self) -> Term {
        let p = self.random.pick(&self.bools);
        let (a, b) = (self.int(0), self.int(0));
        match self.random.below(4) {
            0 => p,
            1 => self.pool.or([p, self.pool.le(a, b)]),
            2 => self.pool.eq(a, b),
            _ => self.pool.le(a, b),
        }
    }

    fn literal(&mut self) -> Term {
        let pool = self.pool;
        let literal = match self.random.below(10) {
            0 | 1 => self.random.pick(&self.bools),
            2 if self.features.functions => {
                let (a, b) = (self.int(0), self.int(0));
                pool.apply(self.p, &[a, b])
            }
            3 if self.features.arrays => {
                let (a, b) = (self.array(2), self.array(1));
                pool.eq(a, b)
            }
            _ => {
                let (a, b) = (self.int(2), self.int(1));
                if self.random.below(100) < self.features.equations { pool.eq(a, b) } else { pool.le(a, b) }
            }
        };
        if self.random.once_in(3) { pool.not(literal) } else { literal }
    }

    fn formula(&mut self, depth: u32) -> Term {
        if depth == 0 || self.random.once_in(3) {
            return self.literal();
        }
        let items: Vec<Term> = (0..2 + self.random.below(2)).map(|_| self.formula(depth - 1)).collect();
        match self.random.below(5) {
            0 | 1 => self.pool.or(items),
            2 => self.pool.and(items),
            3 => self.pool.eq(items[0], items[1]),
            _ => self.pool.not(self.pool.eq(items[0], items[1])),
        }
    }
}

/// Counts of verdicts.
#[derive(Default, Debug)]
struct Tally {
    sat: usize,
    unsat: usize,
    gave_up: usize,
}

fn compare(seed: u64, queries: usize, features: Features) -> Tally {
    let pool = TermPool::new();
    let mut generator = Generator::new(&pool, seed, features);
    let mut solver = LinearSolver::new(&pool);
    let mut oracle = Oracle::new(&pool);
    let mut tally = Tally::default();
    for _ in 0..queries {
        let count = 1 + generator.random.below(7);
        let formulas: Vec<Term> = (0..count).map(|_| generator.formula(features.depth)).collect();
        confirm(&pool, &mut solver, &mut oracle, &formulas, &mut tally);
    }
    tally
}

/// Confirms one answer: a model by evaluation, a core by Z3.
fn confirm(pool: &TermPool, solver: &mut LinearSolver, oracle: &mut Oracle, formulas: &[Term], tally: &mut Tally) {
    let context = |text: &str| {
        let lines: Vec<String> = formulas.iter().map(|&f| oracle_text(pool, f)).collect();
        format!("{text}:\n{}", lines.join("\n"))
    };
    match solver.check(formulas) {
        NativeAnswer::Sat => {
            tally.sat += 1;
            let model = solver.model();
            for &formula in formulas {
                assert_eq!(pool.holds_in(formula, &model), Some(true), "{} {model:?}", context("no model"));
                for &var in pool.free_vars(formula) {
                    assert!(model.vars.contains_key(&var), "{}", context("a variable without value"));
                }
            }
        }
        NativeAnswer::Unsat(core) => {
            tally.unsat += 1;
            let members: Vec<Term> = core.iter().map(|&index| formulas[index]).collect();
            assert_ne!(oracle.check(&members), Some(true), "{} core {core:?}", context("not a core"));
        }
        NativeAnswer::GiveUp => tally.gave_up += 1,
    }
}

fn oracle_text(pool: &TermPool, formula: Term) -> String {
    Oracle::new(pool).bool(formula).to_string()
}

fn check(name: &str, queries: usize, features: Features, least_decided: f64) {
    for seed in 1..=4 {
        let tally = compare(seed, queries, features);
        let decided = (tally.sat + tally.unsat) as f64 / queries as f64;
        println!("{name}: {tally:?}");
        assert!(decided >= least_decided, "{name}: decided {decided}, {tally:?}");
        assert!(tally.sat > 0 && tally.unsat > 0, "{name}: {tally:?}");
    }
}

const PLAIN: Features = Features {
    functions: false,
    arrays: false,
    choices: false,
    divisions: false,
    products: false,
    depth: 1,
    size: 4,
    equations: 40,
};

#[test]
fn conjunctions_of_linear_literals() {
    check("literals", 2000, Features { depth: 0, ..PLAIN }, 0.99);
}

#[test]
fn boolean_structure() {
    check("structure", 1000, Features { depth: 3, ..PLAIN }, 0.98);
}

#[test]
fn unit_coefficients() {
    check("units", 2000, Features { size: 1, equations: 70, ..PLAIN }, 0.99);
}

#[test]
fn choices() {
    check("choices", 1000, Features { choices: true, ..PLAIN }, 0.95);
}

#[test]
fn functions() {
    check("functions", 1000, Features { functions: true, size: 2, ..PLAIN }, 0.95);
}

#[test]
fn arrays() {
    check("arrays", 500, Features { arrays: true, choices: true, size: 2, ..PLAIN }, 0.9);
}

#[test]
fn divisions() {
    check("divisions", 200, Features { divisions: true, ..PLAIN }, 0.9);
}

#[test]
fn products() {
    check("products", 200, Features { products: true, size: 2, ..PLAIN }, 0.5);
}

#[test]
fn everything() {
    let all = Features { functions: true, arrays: true, choices: true, divisions: true, ..PLAIN };
    check("everything", 200, all, 0.8);
}

#[test]
fn huge_coefficients() {
    check("huge", 100, Features { size: i64::MAX / 3, ..PLAIN }, 0.8);
}

#[test]
fn hoare_triples_are_nearly_all_decided() {
    for family in FAMILIES {
        let pool = TermPool::new();
        let mut program = Program::new(&pool, 3, family);
        let (mut solver, mut oracle) = (LinearSolver::new(&pool), Oracle::new(&pool));
        let mut tally = Tally::default();
        for _ in 0..1000 {
            let formulas = program.triple();
            confirm(&pool, &mut solver, &mut oracle, &formulas, &mut tally);
        }
        assert!(tally.gave_up <= 10, "{}: {tally:?}", family.name);
    }
}

#[test]
fn traces_are_decided() {
    let pool = TermPool::new();
    let mut random = Random::new(5);
    let (mut solver, mut oracle) = (LinearSolver::new(&pool), Oracle::new(&pool));
    let mut tally = Tally::default();
    for number in 0..60 {
        let formulas = trace(&pool, &mut random, 5 + number, number % 2 == 0);
        confirm(&pool, &mut solver, &mut oracle, &formulas, &mut tally);
    }
    assert_eq!(tally.gave_up, 0, "{tally:?}");
}
