//! Queries like those of verifying small concurrent programs: Hoare triples and traces.

use super::Random;
use braid_logic::{Sort, Term, TermPool};

/// What the triples of a family are made of, beyond linear literals.
#[derive(Clone, Copy)]
pub struct Family {
    pub name: &'static str,
    flags: bool,
    choices: bool,
    functions: bool,
    arrays: bool,
}

pub struct Program<'p> {
    pool: &'p TermPool,
    random: Random,
    family: Family,
    ints: Vec<Term>,
    flags: Vec<Term>,
    arrays: Vec<Term>,
}

/// The state before and after an action: names of a variable.
fn after(name: &str) -> String {
    format!("{name}'")
}

impl<'p> Program<'p> {
    pub fn new(pool: &'p TermPool, seed: u64, family: Family) -> Self {
        let array = pool.array_sort(Sort::INT, Sort::INT);
        Program {
            pool,
            random: Random::new(seed),
            family,
            ints: ["i", "j", "k", "n", "front", "back", "sum", "total"].map(|n| pool.symbol(n, Sort::INT)).to_vec(),
            flags: ["ok", "done", "locked"].map(|n| pool.symbol(n, Sort::BOOL)).to_vec(),
            arrays: ["A", "B"].map(|n| pool.symbol(n, array)).to_vec(),
        }
    }

    /// A value of the program: a variable, or something read.
    fn value(&mut self) -> Term {
        let pool = self.pool;
        let x = self.random.pick(&self.ints);
        match self.random.below(5) {
            0 if self.family.functions => pool.apply(pool.fun("queue", &[Sort::INT], Sort::INT), &[x]),
            1 if self.family.arrays => pool.select(self.random.pick(&self.arrays), x),
            _ => x,
        }
    }

    fn literal(&mut self) -> Term {
        let pool = self.pool;
        if self.family.flags && self.random.once_in(4) {
            let flag = self.random.pick(&self.flags);
            return if self.random.once_in(2) { flag } else { pool.not(flag) };
        }
        let (a, b) = (self.value(), self.value());
        let c = pool.int(self.random.range(-2, 2));
        match self.random.below(6) {
            0 => pool.eq(a, b),
            1 => pool.eq(a, pool.add([b, c])),
            2 => pool.le(a, b),
            3 => pool.lt(a, b),
            4 => pool.le(a, c),
            _ => {
                let d = self.value();
                pool.eq(a, pool.add([b, d]))
            }
        }
    }

    /// The relation of an action, and the variables it writes.
    fn action(&mut self) -> (Vec<Term>, Vec<Term>) {
        let pool = self.pool;
        let (mut relation, mut written) = (Vec::new(), Vec::new());
        if self.random.once_in(2) {
            relation.push(self.literal());
        }
        for _ in 0..1 + self.random.below(2) {
            let sorts = 3 + u64::from(self.family.flags) + u64::from(self.family.arrays);
            let (target, value) = match self.random.below(sorts) {
                3 if self.family.flags => {
                    let (flag, literal) = (self.random.pick(&self.flags), self.literal());
                    (flag, if self.random.once_in(2) { literal } else { pool.and([flag, literal]) })
                }
                3 | 4 => {
                    let (array, index) = (self.random.pick(&self.arrays), self.random.pick(&self.ints));
                    let value = self.value();
                    (array, pool.store(array, index, value))
                }
                _ => {
                    let x = self.random.pick(&self.ints);
                    let (y, c) = (self.value(), pool.int(self.random.range(-1, 1)));
                    let value = if self.random.once_in(2) { pool.add([x, c]) } else { pool.add([x, y, c]) };
                    if self.family.choices && self.random.once_in(2) {
                        let condition = self.literal();
                        (x, pool.ite(condition, value, x))
                    } else {
                        (x, value)
                    }
                }
            };
            if !written.contains(&target) {
                relation.push(pool.eq(self.primed(target), value));
                written.push(target);
            }
        }
        (relation, written)
    }

    fn primed(&self, variable: Term) -> Term {
        let var = self.pool.free_vars(variable)[0];
        self.pool.symbol(&after(self.pool.var_name(var)), self.pool.sort_of(variable))
    }

    /// Premises, an action, and the negation of a conclusion about the state after it.
    pub fn triple(&mut self) -> Vec<Term> {
        let pool = self.pool;
        let mut formulas: Vec<Term> = (0..1 + self.random.below(6)).map(|_| self.literal()).collect();
        let (relation, written) = self.action();
        let mut conclusion = if self.random.once_in(2) { formulas[0] } else { self.literal() };
        if self.random.once_in(4) {
            let other = self.literal();
            conclusion = pool.and([conclusion, other]);
        }
        let substitution = written.iter().map(|&w| (pool.free_vars(w)[0], self.primed(w))).collect();
        formulas.extend(relation);
        formulas.push(pool.not(pool.substitute(conclusion, &substitution)));
        formulas
    }
}

/// A trace of two counting threads and a consumer; infeasible unless `open`.
pub fn trace(pool: &TermPool, random: &mut Random, steps: usize, open: bool) -> Vec<Term> {
    let version = |name: &str, number: usize| pool.symbol(&format!("{name}@{number}"), Sort::INT);
    let mut at = [0usize; 4];
    let names = ["x", "y", "s", "t"];
    let current = |at: &[usize; 4], i: usize| version(names[i], at[i]);
    let n = pool.symbol("n", Sort::INT);
    let queue = pool.fun("queue", &[Sort::INT], Sort::INT);
    let mut formulas = vec![pool.le(pool.int(0), n)];
    for i in 0..4 {
        formulas.push(pool.eq(current(&at, i), pool.int(0)));
    }
    for _ in 0..steps {
        let (x, y, s, t) = (current(&at, 0), current(&at, 1), current(&at, 2), current(&at, 3));
        match random.below(4) {
            0 => {
                formulas.push(pool.lt(x, n));
                at[0] += 1;
                formulas.push(pool.eq(current(&at, 0), pool.add([x, pool.int(1)])));
                at[2] += 1;
                formulas.push(pool.eq(current(&at, 2), pool.add([s, pool.int(1)])));
            }
            1 => {
                formulas.push(pool.lt(y, x));
                at[1] += 1;
                let grown = pool.add([y, pool.int(1)]);
                formulas.push(pool.eq(current(&at, 1), pool.ite(pool.lt(y, n), grown, y)));
            }
            2 => {
                formulas.push(pool.eq(pool.apply(queue, &[x]), pool.add([s, t])));
                at[3] += 1;
                formulas.push(pool.eq(current(&at, 3), pool.add([t, pool.apply(queue, &[y])])));
            }
            _ => formulas.push(pool.le(s, x)),
        }
    }
    if !open {
        formulas.push(pool.not(pool.eq(current(&at, 2), current(&at, 0))));
    }
    formulas
}

const PLAIN: Family = Family { name: "linear", flags: false, choices: false, functions: false, arrays: false };

/// The families of triples.
pub const FAMILIES: [Family; 6] = [
    PLAIN,
    Family { name: "flags", flags: true, ..PLAIN },
    Family { name: "choices", flags: true, choices: true, ..PLAIN },
    Family { name: "queues", flags: true, functions: true, ..PLAIN },
    Family { name: "arrays", arrays: true, ..PLAIN },
    Family { name: "all", flags: true, choices: true, functions: true, arrays: true },
];
