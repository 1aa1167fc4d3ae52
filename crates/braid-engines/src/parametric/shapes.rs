//! The shapes that candidates have, and which of them samples allow.

use super::affine::{Equation, equations};
use super::candidates::{Candidates, Stage};
use super::words::Words;
use braid_logic::{Integer, Model, Term, TermPool, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// A flag has at most so many values.
const FLAG_VALUES: usize = 3;
/// So many candidates there are about the same subject at most.
const MAX_CANDIDATES: usize = 500;
/// Constants beyond this are taken for the ends of the range of a type, of which so many are tried.
const SMALL: u64 = 100;
const MAX_ENDS: usize = 12;
/// Of more intervals it is not asked whether they are apart.
const MAX_INTERVALS: usize = 64;
/// Longer sums are no candidates.
const LONGEST_SUM: usize = 24;

/// Candidates about one subject.
pub(super) struct Shapes<'c, 'a, 'p> {
    candidates: &'c Candidates<'a, 'p>,
    samples: &'c [Model],
    /// What numbers are in the samples; none if that is not known of all.
    values: FxHashMap<Term, Vec<Integer>>,
    found: Vec<Term>,
}

impl<'c, 'a, 'p> Shapes<'c, 'a, 'p> {
    pub fn new(candidates: &'c Candidates<'a, 'p>, samples: &'c [Model], words: &Words) -> Shapes<'c, 'a, 'p> {
        let pool = candidates.system.pool;
        let value = |term: Term, model: &Model| match pool.evaluate_in(term, model)? {
            Value::Int(value) => Some(value),
            _ => None,
        };
        let all = |term: Term| samples.iter().map(|model| value(term, model)).collect::<Option<Vec<Integer>>>();
        let values = words.numbers.iter().filter_map(|&term| Some((term, all(term)?))).collect();
        Shapes { candidates, samples, values, found: Vec::new() }
    }

    fn pool(&self) -> &'p TermPool {
        self.candidates.system.pool
    }

    /// Where a formula holds.
    fn where_true(&self, term: Term) -> Vec<usize> {
        let holds = |at: &usize| self.pool().holds_in(term, &self.samples[*at]) == Some(true);
        (0..self.samples.len()).filter(holds).collect()
    }

    /// Keeps those that hold in all samples.
    pub fn keep(&mut self, terms: Vec<Term>) {
        let all = self.samples.len();
        let holds = |term: &Term| self.where_true(*term).len() == all;
        let kept: Vec<Term> = terms.into_iter().filter(holds).collect();
        self.found.extend(kept);
    }

    /// All shapes, also where flags have certain values.
    pub fn everything(&mut self, words: &Words, stage: Stage) {
        let pool = self.pool();
        let all: Vec<usize> = (0..self.samples.len()).collect();
        let plain = self.claims(words, &all, true);
        self.found.extend(&plain);
        self.found.extend(linear(pool, self.samples, &words.numbers));
        let known: FxHashSet<Term> = plain.into_iter().collect();
        let tests: Vec<Vec<Term>> = words.flags.iter().map(|&flag| self.flag_values(flag, stage)).collect();
        let mut claims: FxHashMap<Term, FxHashSet<Term>> = FxHashMap::default();
        for &guard in tests.iter().flatten() {
            let found = self.claims_where(guard, words);
            let new: Vec<Term> = found.into_iter().filter(|claim| !known.contains(claim)).collect();
            self.found.extend(new.iter().map(|&claim| pool.implies(guard, claim)));
            claims.insert(guard, new.into_iter().collect());
        }
        if stage < Stage::Flags {
            return;
        }
        let shared: Vec<&Vec<Term>> = tests[..words.shared_flags].iter().filter(|tests| tests.len() > 1).collect();
        for (at, tests) in shared.iter().enumerate() {
            for &one in tests.iter() {
                for &other in shared[..at].iter().copied().flatten() {
                    let both = pool.and([one, other]);
                    let is_known = |claim: &Term| {
                        known.contains(claim) || claims[&one].contains(claim) || claims[&other].contains(claim)
                    };
                    let found = self.claims_where(both, words);
                    let new = found.into_iter().filter(|claim| !is_known(claim));
                    self.found.extend(new.map(|claim| pool.implies(both, claim)));
                }
            }
        }
    }

    /// The tests for the values that a flag has in the samples. If these are many, none, and at last 0 and 1.
    fn flag_values(&self, flag: Term, stage: Stage) -> Vec<Term> {
        let pool = self.pool();
        let mut values: Vec<Value> = Vec::new();
        for model in self.samples {
            let Some(value) = pool.evaluate_in(flag, model) else { return Vec::new() };
            if !values.contains(&value) {
                values.push(value);
            }
        }
        if values.len() > FLAG_VALUES {
            let usual = |value: &Value| [0, 1].iter().any(|&one| *value == Value::Int(one.into()));
            values.retain(|value| stage >= Stage::Flags && usual(value));
        }
        let test = |value: &Value| match value {
            Value::Bool(true) => Some(flag),
            Value::Bool(false) => Some(pool.not(flag)),
            Value::Int(value) => Some(pool.eq(flag, pool.int(value.clone()))),
            _ => None,
        };
        values.iter().filter_map(test).collect()
    }

    /// How numbers compare, and that intervals of two instances are apart: `[a, b)` and `[c, d)` are, if `b ≤ c` or `d ≤ a`.
    pub fn apart(&mut self, numbers: &[Term], mine: &[Term], theirs: &[Term]) {
        let pool = self.pool();
        let all: Vec<usize> = (0..self.samples.len()).collect();
        let mut found = Vec::new();
        for (at, &x) in numbers.iter().enumerate() {
            for &y in &numbers[..at] {
                self.order(x, y, &all, &mut found);
                // Even where samples show an order, it may be that no more than this is inductive.
                let differ = |(a, b): (&Vec<Integer>, &Vec<Integer>)| a.iter().zip(b).all(|(a, b)| a != b);
                let values = self.values.get(&x).zip(self.values.get(&y));
                if values.is_some_and(differ) && self.candidates.kinds.same(pool, x, y) {
                    found.push(pool.not(pool.eq(x, y)));
                }
            }
        }
        self.found.extend(found);
        let (ours, others) = (self.intervals(mine), self.intervals(theirs));
        if ours.len() * others.len() > MAX_INTERVALS {
            return;
        }
        let both = ours.iter().flat_map(|one| others.iter().map(move |other| (one, other)));
        let comparable = both.filter(|((low, _), (other, _))| self.candidates.kinds.same(pool, *low, *other));
        let disjoint = comparable.map(|(&(a, b), &(c, d))| pool.or([pool.le(b, c), pool.le(d, a)]));
        self.keep(disjoint.collect());
    }

    /// Two numbers of which one is never above the other.
    fn intervals(&self, numbers: &[Term]) -> Vec<(Term, Term)> {
        let mut found = Vec::new();
        for &low in numbers {
            for &high in numbers.iter().filter(|&&high| high != low) {
                let (Some(lows), Some(highs)) = (self.values.get(&low), self.values.get(&high)) else { continue };
                let is_one = self.candidates.kinds.same(self.pool(), low, high);
                if is_one && lows.iter().zip(highs).all(|(low, high)| low <= high) {
                    found.push((low, high));
                }
            }
        }
        found
    }

    /// What holds in the samples where the guard does; nothing if that is all or none of them.
    fn claims_where(&self, guard: Term, words: &Words) -> Vec<Term> {
        let chosen = self.where_true(guard);
        if chosen.is_empty() || chosen.len() == self.samples.len() {
            return Vec::new();
        }
        self.claims(words, &chosen, false)
    }

    /// What holds in the chosen samples: bounds of numbers, their order, truth values. `ends`: also the bounds of types.
    fn claims(&self, words: &Words, chosen: &[usize], ends: bool) -> Vec<Term> {
        let mut found = Vec::new();
        for (at, &x) in words.numbers.iter().enumerate() {
            self.bounds(x, chosen, ends, &mut found);
            for &y in &words.numbers[..at] {
                self.order(x, y, chosen, &mut found);
            }
        }
        for &truth in &words.truths {
            let holds = |at: &usize| self.pool().holds_in(truth, &self.samples[*at]);
            let values: Vec<Option<bool>> = chosen.iter().map(holds).collect();
            if values.iter().all(|value| *value == Some(true)) {
                found.push(truth);
            } else if values.iter().all(|value| *value == Some(false)) {
                found.push(self.pool().not(truth));
            }
        }
        found.retain(|&term| term != Term::TRUE);
        found
    }

    fn bounds(&self, x: Term, chosen: &[usize], ends: bool, found: &mut Vec<Term>) {
        let Some(values) = self.values.get(&x) else { return };
        let pool = self.pool();
        let values = || chosen.iter().map(|&at| &values[at]);
        let (Some(low), Some(high)) = (values().min(), values().max()) else { return };
        let constants = &self.candidates.constants;
        let below = &constants[..constants.partition_point(|c| c <= low)];
        let above = &constants[constants.partition_point(|c| c < high)..];
        // What samples show may be too much, so weaker bounds are candidates too: usual ones, and the ends of types.
        let is_end = |c: &&Integer| ends && c.to_i64().is_none_or(|c| c.unsigned_abs() > SMALL);
        let usual = [0, 1].map(Integer::from);
        let least = below.last().into_iter().chain(usual.iter().filter(|c| *c <= low));
        let least = least.chain(below.iter().filter(is_end).take(MAX_ENDS));
        found.extend(least.map(|c| pool.ge(x, pool.int(c.clone()))));
        let most = above.first().into_iter().chain(usual.iter().filter(|c| *c >= high));
        let most = most.chain(above.iter().rev().filter(is_end).take(MAX_ENDS));
        found.extend(most.map(|c| pool.le(x, pool.int(c.clone()))));
        if *low < Integer::ZERO && !values().any(|value| *value == Integer::ZERO) {
            found.push(pool.not(pool.eq(x, pool.int(0))));
        }
    }

    /// How two numbers compare in the chosen samples.
    fn order(&self, x: Term, y: Term, chosen: &[usize], found: &mut Vec<Term>) {
        let pool = self.pool();
        let (Some(xs), Some(ys)) = (self.values.get(&x), self.values.get(&y)) else { return };
        if !self.candidates.kinds.same(pool, x, y) {
            return;
        }
        let differences: Vec<Integer> = chosen.iter().map(|&at| xs[at].clone() - ys[at].clone()).collect();
        let (Some(low), Some(high)) = (differences.iter().min(), differences.iter().max()) else { return };
        let is_small = |value: &Integer| value.to_i64().is_some_and(|value| (-2..=2).contains(&value));
        let constants = &self.candidates.constants;
        let known = |value: &Integer| constants.binary_search(value).is_ok();
        let difference = pool.sub(x, y);
        let usual = || [-1, 0, 1].map(Integer::from).into_iter();
        let least = Some(low.clone()).filter(|low| is_small(low) || known(low)).into_iter();
        found.extend(least.chain(usual().filter(|c| c < low)).map(|c| pool.ge(difference, pool.int(c))));
        let most = Some(high.clone()).filter(|high| is_small(high) || known(high)).into_iter();
        found.extend(most.chain(usual().filter(|c| c > high)).map(|c| pool.le(difference, pool.int(c))));
        let both_sides = *low < Integer::ZERO && *high > Integer::ZERO;
        if both_sides && !differences.contains(&Integer::ZERO) {
            found.push(pool.not(pool.eq(x, y)));
            // Objects that are apart stay apart.
            let apart = differences.iter().map(Integer::abs).min().filter(|apart| known(apart) && !is_small(apart));
            if let Some(apart) = apart.map(|apart| pool.int(apart)) {
                found.push(pool.or([pool.ge(difference, apart), pool.ge(pool.sub(y, x), apart)]));
            }
        }
    }

    /// All that was found and is not known.
    pub fn finish(self, known: &FxHashSet<Term>) -> Vec<Term> {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let new = |term: &Term| *term != Term::TRUE && !known.contains(term) && seen.insert(*term);
        let mut found: Vec<Term> = self.found.into_iter().filter(new).collect();
        found.truncate(MAX_CANDIDATES);
        found
    }
}

/// Equations between the columns that hold in all samples.
pub(super) fn linear<'m>(pool: &TermPool, samples: impl IntoIterator<Item = &'m Model>, columns: &[Term]) -> Vec<Term> {
    let value = |model: &Model, column: Term| match pool.evaluate_in(column, model)? {
        Value::Int(value) => Some(value),
        _ => None,
    };
    let row = |model: &Model| columns.iter().map(|&column| value(model, column)).collect::<Option<Vec<Integer>>>();
    let Some(rows) = samples.into_iter().map(row).collect::<Option<Vec<_>>>() else { return Vec::new() };
    let small = |equation: &Equation| equation.coefficients.len() <= LONGEST_SUM;
    let term = |equation: Equation| {
        let parts = equation.coefficients.into_iter().map(|(column, c)| pool.mul(pool.int(c), columns[column]));
        let sum: Vec<Term> = parts.chain([pool.int(equation.constant)]).collect();
        pool.eq(pool.add(sum), pool.int(0))
    };
    equations(&rows, columns.len()).into_iter().filter(small).map(term).collect()
}
