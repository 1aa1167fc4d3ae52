//! Candidates for facts: formulas of a few shapes that hold in all samples.
//!
//! * nobody is ever there, where no sample is;
//! * bounds of numbers and their order, as far as the program compares them or copies one to another (`Kinds`);
//! * truth values, and all these where a flag has a certain value: what a lock protects holds while it is free;
//! * that an error does not happen, what is needed for that before a move, and before a move of another instance.
//!
//! Candidates are guesses. What is wrong is dropped later; what is missing leaves a program undecided.

use super::affine::{Equation, equations};
use super::facts::Facts;
use super::kinds::Kinds;
use super::obligations::About;
use super::samples::Samples;
use super::system::{Copy, Place, System};
use braid_logic::{Integer, Model, Sort, SortKind, Substitution, Term, TermPool, Value, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A flag has at most so many values.
const FLAG_VALUES: usize = 3;
/// Larger formulas are no candidates.
const MAX_SIZE: u32 = 120;
/// So many candidates there are about the same subject at most.
const MAX_CANDIDATES: usize = 500;
/// Longer sums are no candidates.
const LONGEST_SUM: usize = 24;
/// What an error needs is followed backwards by so many moves.
const BACKWARDS: usize = 3;

/// How much is guessed.
#[derive(Clone, std::marker::Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stage {
    /// About one instance, and about two only that they are never there together.
    Alone,
    /// About two as well.
    Two,
    /// And what holds while two flags have certain values.
    Flags,
}

/// The terms that candidates are made of.
struct Words {
    numbers: Vec<Term>,
    truths: Vec<Term>,
    /// Shared and own variables that may be flags.
    flags: Vec<Term>,
    /// How many of them, at the start, are shared.
    shared_flags: usize,
}

pub(super) struct Candidates<'a, 'p> {
    system: &'a System<'p>,
    samples: &'a Samples,
    kinds: Kinds,
    constants: Vec<Integer>,
    /// By template and copy 0 or 1: over the shared variables and the copy's own; the second has only terms with own ones.
    words: Vec<[Words; 2]>,
}

impl<'a, 'p> Candidates<'a, 'p> {
    pub fn new(system: &'a System<'p>, samples: &'a Samples) -> Candidates<'a, 'p> {
        let kinds = Kinds::of(system);
        let near = |value: Integer| [value.clone() + Integer::from(1), value.clone() - Integer::from(1), value];
        let constants: BTreeSet<Integer> = system.constants().into_iter().flat_map(near).collect();
        let constants = constants.into_iter().collect();
        let words = (0..system.templates.len()).map(|t| [words(system, &kinds, t, 0), words(system, &kinds, t, 1)]);
        Candidates { system, samples, constants, words: words.collect(), kinds }
    }

    /// Candidates of a stage.
    pub fn all(&self, stage: Stage) -> Facts {
        let mut facts = Facts::default();
        let first = self.system.first();
        let needed = self.needed();
        let places: Vec<Place> = self.system.places().filter(|&place| place != first).collect();
        for &place in &places {
            let about = About::One(place);
            let of_needed = needed.iter().filter(|(subject, _)| *subject == about).map(|(_, term)| *term);
            facts.set(about, self.about_one(place, of_needed.collect(), stage));
        }
        for (at, &one) in places.iter().enumerate() {
            for &other in &places[at..] {
                if !self.system.can_meet(one.template, other.template) {
                    continue;
                }
                let about = About::Two(one.min(other), one.max(other));
                let of_needed = needed.iter().filter(|(subject, _)| *subject == about).map(|(_, term)| *term);
                facts.set(about, self.about_two(one.min(other), one.max(other), of_needed.collect(), stage));
            }
        }
        self.equations(&places, &mut facts);
        // Before the first thread has moved, nobody else is there.
        for &other in places.iter().filter(|place| place.template != 0) {
            facts.set(About::Two(first, other), vec![Term::FALSE]);
        }
        facts
    }

    /// Equations between shared numbers and counters that hold wherever threads are, and what counters are at the start.
    fn equations(&self, places: &[Place], facts: &mut Facts) {
        let (system, pool) = (self.system, self.system.pool);
        if system.counters.is_empty() {
            return;
        }
        let mut counters: Vec<(&Place, &Var)> = system.counters.iter().collect();
        counters.sort_unstable();
        let start =
            counters.iter().map(|(place, var)| pool.eq(pool.of_var(**var), pool.int(system.first_count(**place))));
        facts.set(About::One(system.first()), start.collect());
        let counters = counters.iter().map(|(_, var)| pool.of_var(**var));
        let is_number = |term: &Term| {
            pool.sort_of(*term) == Sort::INT
                && !pool.free_vars(*term).iter().any(|var| system.counters.values().any(|counter| counter == var))
        };
        let numbers = system.shared.iter().map(|&var| pool.of_var(var)).filter(is_number);
        let columns: Vec<Term> = counters.chain(numbers).collect();
        let samples: Vec<&Model> = places.iter().filter_map(|place| self.samples.one.get(place)).flatten().collect();
        for equation in linear(pool, &samples, &columns) {
            for &place in places {
                let mut known = facts.get(About::One(place)).to_vec();
                if !known.contains(&equation) && !known.contains(&Term::FALSE) {
                    known.push(equation);
                    facts.set(About::One(place), known);
                }
            }
        }
    }

    fn about_one(&self, place: Place, needed: Vec<Term>, stage: Stage) -> Vec<Term> {
        let Some(samples) = self.samples.one.get(&place) else { return vec![Term::FALSE] };
        let words = &self.words[place.template][0];
        let mut shapes = Shapes { candidates: self, samples: samples.iter().collect(), found: Vec::new() };
        shapes.keep(needed);
        shapes.everything(words, samples, stage);
        shapes.finish()
    }

    fn about_two(&self, one: Place, other: Place, needed: Vec<Term>, stage: Stage) -> Vec<Term> {
        let Some(samples) = self.samples.two.get(&(one, other)) else { return vec![Term::FALSE] };
        if stage == Stage::Alone {
            return Vec::new();
        }
        let (mine, theirs) = (&self.words[one.template][0], &self.words[other.template][1]);
        let joined = |a: &[Term], b: &[Term]| a.iter().chain(b).copied().collect();
        let words = Words {
            numbers: joined(&mine.numbers, &theirs.numbers),
            truths: joined(&mine.truths, &theirs.truths),
            flags: joined(&mine.flags, &theirs.flags),
            shared_flags: mine.shared_flags,
        };
        let mut shapes = Shapes { candidates: self, samples: samples.iter().collect(), found: Vec::new() };
        shapes.keep(needed);
        shapes.everything(&words, samples, stage);
        let pool = self.system.pool;
        let truths = mine.truths.iter().flat_map(|&a| theirs.truths.iter().map(move |&b| (a, b)));
        shapes.keep(truths.map(|(a, b)| pool.not(pool.and([a, b]))).collect());
        shapes.finish()
    }

    /// What must hold for errors not to happen, as far as it can be said of one instance or two.
    fn needed(&self) -> Vec<(About, Term)> {
        let (system, pool) = (self.system, self.system.pool);
        let mut found: Vec<(About, Term)> = Vec::new();
        let mut known: FxHashSet<(About, Term)> = FxHashSet::default();
        let mut layer: Vec<(Place, Term)> = Vec::new();
        for (template, t) in system.templates.iter().enumerate() {
            layer.extend(t.errors.iter().map(|&location| (Place { template, location }, Term::FALSE)));
        }
        for _ in 0..BACKWARDS {
            let mut next = Vec::new();
            for (place, fact) in layer {
                for m in system.templates[place.template].moves.iter().filter(|m| m.target == place.location) {
                    if !m.relation.choices.is_empty() || !m.forks.is_empty() || !m.joins.is_empty() {
                        continue;
                    }
                    let before = pool.implies(m.relation.guard, m.relation.before(pool, fact));
                    for part in pool.conjuncts(before) {
                        let source = Place { template: place.template, location: m.source };
                        if part != Term::TRUE && pool.size(part) <= MAX_SIZE && known.insert((About::One(source), part))
                        {
                            next.push((source, part));
                            found.push((About::One(source), part));
                        }
                    }
                }
                self.needed_of_others(place, fact, &mut known, &mut found);
            }
            layer = next;
        }
        found
    }

    /// What must hold of two for a move of the second to keep a fact about the first.
    fn needed_of_others(
        &self,
        place: Place,
        fact: Term,
        known: &mut FxHashSet<(About, Term)>,
        found: &mut Vec<(About, Term)>,
    ) {
        let (system, pool) = (self.system, self.system.pool);
        for (template, t) in system.templates.iter().enumerate() {
            for m in
                t.moves.iter().filter(|m| m.relation.choices.is_empty() && m.forks.is_empty() && m.joins.is_empty())
            {
                let written = m.relation.writes.iter().any(|&var| pool.mentions(fact, var) && !t.locals.contains(&var));
                if !written || !system.can_meet(place.template, template) {
                    continue;
                }
                let other = Place { template, location: m.source };
                // The fact is said of copy 0; the move is one of copy 1.
                let names: Substitution = system.renaming(template, 0, 1).collect();
                let updates = m.relation.updates.iter().filter(|(var, _)| !t.locals.contains(var));
                let after: Substitution = updates.map(|&(var, term)| (var, pool.substitute(term, &names))).collect();
                let guard = pool.substitute(m.relation.guard, &names);
                let before = pool.implies(guard, pool.substitute(fact, &after));
                let (about, term) = if place <= other {
                    (About::Two(place, other), before)
                } else {
                    let swap = system.renaming(place.template, 0, 1).chain(system.renaming(template, 1, 0));
                    (About::Two(other, place), pool.substitute(before, &swap.collect()))
                };
                if term != Term::TRUE && pool.size(term) <= MAX_SIZE && known.insert((about, term)) {
                    found.push((about, term));
                }
            }
        }
    }
}

/// Candidates about one subject.
struct Shapes<'c, 'a, 'p> {
    candidates: &'c Candidates<'a, 'p>,
    samples: Vec<&'c Model>,
    found: Vec<Term>,
}

impl Shapes<'_, '_, '_> {
    fn pool(&self) -> &TermPool {
        self.candidates.system.pool
    }

    fn holds(&self, term: Term) -> bool {
        self.samples.iter().all(|model| self.pool().holds_in(term, model) == Some(true))
    }

    /// Keeps those that hold in all samples.
    fn keep(&mut self, terms: Vec<Term>) {
        for term in terms {
            if self.holds(term) {
                self.found.push(term);
            }
        }
    }

    /// Adds a candidate under a guard that the samples at hand satisfy.
    fn say(&mut self, guard: Term, claim: Term) {
        let term = self.pool().implies(guard, claim);
        if term != Term::TRUE {
            self.found.push(term);
        }
    }

    fn values(&self, term: Term) -> Option<Vec<Integer>> {
        let value = |model: &&Model| match self.pool().evaluate_in(term, model)? {
            Value::Int(value) => Some(value),
            _ => None,
        };
        self.samples.iter().map(value).collect()
    }

    /// All shapes, also of the samples where flags have certain values.
    fn everything(&mut self, words: &Words, samples: &[Model], stage: Stage) {
        self.numbers(&words.numbers, Term::TRUE);
        self.truths(&words.truths, Term::TRUE);
        let pool = self.candidates.system.pool;
        self.found.extend(linear(pool, &self.samples, &words.numbers));
        let tests: Vec<Vec<Term>> = words.flags.iter().map(|&flag| flag_values(pool, flag, samples)).collect();
        let known: FxHashSet<Term> = self.found.iter().copied().collect();
        let mut claims: FxHashMap<Term, FxHashSet<Term>> = FxHashMap::default();
        for &guard in tests.iter().flatten() {
            let found = self.where_holds(guard, words);
            let new: FxHashSet<Term> = found.into_iter().filter(|claim| !known.contains(claim)).collect();
            let mut said: Vec<Term> = new.iter().copied().collect();
            said.sort_unstable();
            said.into_iter().for_each(|claim| self.say(guard, claim));
            claims.insert(guard, new);
        }
        if stage < Stage::Flags {
            return;
        }
        let shared: Vec<&Vec<Term>> = tests[..words.shared_flags].iter().filter(|tests| tests.len() > 1).collect();
        for (at, tests) in shared.iter().enumerate() {
            for &one in tests.iter() {
                for &other in shared[..at].iter().copied().flatten() {
                    let both = pool.and([one, other]);
                    let new = |claim: &Term| {
                        !known.contains(claim) && !claims[&one].contains(claim) && !claims[&other].contains(claim)
                    };
                    let found: Vec<Term> = self.where_holds(both, words).into_iter().filter(new).collect();
                    found.into_iter().for_each(|claim| self.say(both, claim));
                }
            }
        }
    }

    /// Bounds of all numbers, and the order of those of one kind.
    fn numbers(&mut self, numbers: &[Term], guard: Term) {
        for (at, &x) in numbers.iter().enumerate() {
            let Some(values) = self.values(x) else { continue };
            let (Some(low), Some(high)) = (values.iter().min(), values.iter().max()) else { continue };
            let constants = &self.candidates.constants;
            let below: Vec<&Integer> = constants.iter().filter(|&c| c <= low).collect();
            let above: Vec<&Integer> = constants.iter().filter(|&c| c >= high).collect();
            // The nearest, and the ends of the range of a type.
            let mut bounds: Vec<Term> = Vec::new();
            let pool = self.pool();
            bounds.extend(
                below.iter().rev().take(1).chain(below.iter().take(2)).map(|&c| pool.ge(x, pool.int(c.clone()))),
            );
            bounds.extend(
                above.iter().take(1).chain(above.iter().rev().take(3)).map(|&c| pool.le(x, pool.int(c.clone()))),
            );
            bounds.into_iter().for_each(|bound| self.say(guard, bound));
            let zero = self.pool().int(0);
            if !values.contains(&Integer::ZERO) {
                self.say(guard, self.pool().not(self.pool().eq(x, zero)));
            }
            for &y in &numbers[..at] {
                self.order(x, y, guard);
            }
        }
    }

    /// How two numbers compare in all samples.
    fn order(&mut self, x: Term, y: Term, guard: Term) {
        if !self.candidates.kinds.same(self.pool(), x, y) {
            return;
        }
        let (Some(xs), Some(ys)) = (self.values(x), self.values(y)) else { return };
        let differences: Vec<Integer> = xs.into_iter().zip(ys).map(|(a, b)| a - b).collect();
        let (Some(low), Some(high)) = (differences.iter().min().cloned(), differences.iter().max().cloned()) else {
            return;
        };
        let small = |value: &Integer| value.to_i64().is_some_and(|value| (-2..=2).contains(&value));
        let pool = self.pool();
        let difference = pool.sub(x, y);
        if small(&low) {
            self.say(guard, self.pool().ge(difference, self.pool().int(low)));
        }
        if small(&high) {
            self.say(guard, self.pool().le(difference, self.pool().int(high)));
        }
        if !differences.contains(&Integer::ZERO) {
            let pool = self.pool();
            self.say(guard, pool.not(pool.eq(x, y)));
        }
    }

    fn truths(&mut self, truths: &[Term], guard: Term) {
        for &truth in truths {
            for claim in [truth, self.pool().not(truth)] {
                if self.holds(claim) {
                    self.say(guard, claim);
                }
            }
        }
    }

    /// What holds in the samples where the guard does; nothing if that is all or none of them.
    fn where_holds(&self, guard: Term, words: &Words) -> Vec<Term> {
        let holds = |model: &&Model| self.pool().holds_in(guard, model) == Some(true);
        let samples: Vec<&Model> = self.samples.iter().copied().filter(holds).collect();
        if samples.is_empty() || samples.len() == self.samples.len() {
            return Vec::new();
        }
        let mut shapes = Shapes { candidates: self.candidates, samples, found: Vec::new() };
        shapes.numbers(&words.numbers, Term::TRUE);
        shapes.truths(&words.truths, Term::TRUE);
        shapes.found
    }

    fn finish(self) -> Vec<Term> {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut found: Vec<Term> = self.found.into_iter().filter(|&term| seen.insert(term)).collect();
        found.truncate(MAX_CANDIDATES);
        found
    }
}

/// Equations between the columns that hold in all samples.
fn linear(pool: &TermPool, samples: &[&Model], columns: &[Term]) -> Vec<Term> {
    let value = |model: &Model, column: Term| match pool.evaluate_in(column, model)? {
        Value::Int(value) => Some(value),
        _ => None,
    };
    let row = |model: &&Model| columns.iter().map(|&column| value(model, column)).collect::<Option<Vec<Integer>>>();
    let Some(rows) = samples.iter().map(row).collect::<Option<Vec<_>>>() else { return Vec::new() };
    let small = |equation: &Equation| {
        let is_small = |(_, c): &(usize, Integer)| c.to_i64().is_some_and(|c| (-64..=64).contains(&c));
        equation.coefficients.len() <= LONGEST_SUM && equation.coefficients.iter().all(is_small)
    };
    let term = |equation: Equation| {
        let parts = equation.coefficients.into_iter().map(|(column, c)| pool.mul(pool.int(c), columns[column]));
        let sum: Vec<Term> = parts.chain([pool.int(equation.constant)]).collect();
        pool.eq(pool.add(sum), pool.int(0))
    };
    equations(&rows, columns.len()).into_iter().filter(small).map(term).collect()
}

/// The tests for the values that a flag has in the samples; none if these are many.
fn flag_values(pool: &TermPool, flag: Term, samples: &[Model]) -> Vec<Term> {
    let mut values: Vec<Value> = Vec::new();
    for model in samples {
        let Some(value) = pool.evaluate_in(flag, model) else { return Vec::new() };
        if !values.contains(&value) {
            values.push(value);
        }
        if values.len() > FLAG_VALUES {
            return Vec::new();
        }
    }
    let test = |value: &Value| match value {
        Value::Bool(true) => Some(flag),
        Value::Bool(false) => Some(pool.not(flag)),
        Value::Int(value) => Some(pool.eq(flag, pool.int(value.clone()))),
        _ => None,
    };
    values.iter().filter_map(test).collect()
}

/// The terms over a copy of a template.
fn words(system: &System<'_>, kinds: &Kinds, template: usize, copy: Copy) -> Words {
    let pool = system.pool;
    let t = &system.templates[template];
    let names: Substitution = system.renaming(template, 0, copy).collect();
    let own = |term: Term| t.locals.iter().any(|&var| pool.mentions(term, var));
    let is_counter = |var: &Var| system.counters.values().any(|counter| counter == var);
    let vars =
        system.shared.iter().filter(|var| copy == 0 && !is_counter(var)).chain(&t.locals).map(|&var| pool.of_var(var));
    let reads = kinds.reads.iter().copied().filter(|&read| {
        let known = |var| system.shared.contains(var) || t.locals.contains(var);
        pool.free_vars(read).iter().all(known) && (copy == 0 || own(read))
    });
    let (mut numbers, mut truths, mut flags) = (Vec::new(), Vec::new(), Vec::new());
    for term in vars.chain(reads) {
        let renamed = pool.substitute(term, &names);
        match pool.sort_kind(pool.sort_of(term)) {
            SortKind::Bool => {
                truths.push(renamed);
                flags.push(renamed);
            }
            SortKind::Int => {
                numbers.push(renamed);
                flags.push(renamed);
            }
            _ => {}
        }
    }
    if copy == 0 {
        numbers.extend(system.crowds());
    }
    let shared = |flag: &Term| pool.free_vars(*flag).iter().all(|var| system.shared.contains(var));
    flags.sort_by_key(|flag| !shared(flag));
    let shared_flags = flags.iter().take_while(|flag| shared(flag)).count();
    Words { numbers, truths, flags, shared_flags }
}
