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
use super::matter::Matter;
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

/// Which terms candidates are made of.
#[derive(Clone, std::marker::Copy, PartialEq, Eq, Debug)]
pub(super) enum Wealth {
    /// Variables that will be read, and flags that are tested.
    Poor,
    /// All.
    Rich,
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
    wealth: Wealth,
    kinds: Kinds,
    constants: Vec<Integer>,
    /// By place and copy 0 or 1: over the shared variables and the copy's own; the second has only terms with own ones.
    words: FxHashMap<Place, [Words; 2]>,
}

impl<'a, 'p> Candidates<'a, 'p> {
    pub fn new(system: &'a System<'p>, samples: &'a Samples, wealth: Wealth) -> Candidates<'a, 'p> {
        let kinds = Kinds::of(system);
        let near = |value: Integer| [value.clone() + Integer::from(1), value.clone() - Integer::from(1), value];
        let constants: BTreeSet<Integer> = system.constants().into_iter().flat_map(near).collect();
        let constants = constants.into_iter().collect();
        let matter = Matter::of(system);
        let of = |place: Place, copy: Copy| words(system, &kinds, &matter, wealth, (place, copy));
        let words = system.places().map(|place| (place, [of(place, 0), of(place, 1)])).collect();
        Candidates { system, samples, wealth, constants, words, kinds }
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
                let pair = (one.min(other), one.max(other));
                let found = self.about_two(pair, of_needed.collect(), stage, &facts);
                facts.set(about, found);
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
        let samples = places.iter().filter_map(|place| self.samples.one.get(place)).flatten();
        for equation in linear(pool, samples, &columns) {
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
        let words = &self.words[&place][0];
        let mut shapes = Shapes::new(self, samples, words);
        shapes.keep(needed);
        shapes.everything(words, stage);
        shapes.finish(&FxHashSet::default())
    }

    fn about_two(&self, (one, other): (Place, Place), needed: Vec<Term>, stage: Stage, facts: &Facts) -> Vec<Term> {
        let Some(samples) = self.samples.two.get(&(one, other)) else { return vec![Term::FALSE] };
        if stage == Stage::Alone {
            return Vec::new();
        }
        let (mine, theirs) = (&self.words[&one][0], &self.words[&other][1]);
        let joined = |a: &[Term], b: &[Term]| a.iter().chain(b).copied().collect();
        let words = Words {
            numbers: joined(&mine.numbers, &theirs.numbers),
            truths: joined(&mine.truths, &theirs.truths),
            flags: joined(&mine.flags, &theirs.flags),
            shared_flags: mine.shared_flags,
        };
        let pool = self.system.pool;
        let mut shapes = Shapes::new(self, samples, &words);
        shapes.keep(needed);
        shapes.everything(&words, stage);
        let truths = mine.truths.iter().flat_map(|&a| theirs.truths.iter().map(move |&b| (a, b)));
        shapes.keep(truths.map(|(a, b)| pool.not(pool.and([a, b]))).collect());
        // What is said of one need not be said of two.
        let names: Substitution = self.system.renaming(other.template, 0, 1).collect();
        let of_second = facts.get(About::One(other)).iter().map(|&fact| pool.substitute(fact, &names));
        let known = facts.get(About::One(one)).iter().copied().chain(of_second);
        shapes.finish(&known.filter(|_| self.wealth == Wealth::Poor).collect())
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
    samples: &'c [Model],
    /// What numbers are in the samples; none if that is not known of all.
    values: FxHashMap<Term, Vec<Integer>>,
    found: Vec<Term>,
}

impl<'c, 'a, 'p> Shapes<'c, 'a, 'p> {
    fn new(candidates: &'c Candidates<'a, 'p>, samples: &'c [Model], words: &Words) -> Shapes<'c, 'a, 'p> {
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
    fn keep(&mut self, terms: Vec<Term>) {
        let all = self.samples.len();
        let holds = |term: &Term| self.where_true(*term).len() == all;
        let kept: Vec<Term> = terms.into_iter().filter(holds).collect();
        self.found.extend(kept);
    }

    /// All shapes, also where flags have certain values.
    fn everything(&mut self, words: &Words, stage: Stage) {
        let pool = self.pool();
        let all: Vec<usize> = (0..self.samples.len()).collect();
        let plain = self.claims(words, &all, true);
        self.found.extend(&plain);
        self.found.extend(linear(pool, self.samples, &words.numbers));
        let known: FxHashSet<Term> = plain.into_iter().collect();
        let tests: Vec<Vec<Term>> = words.flags.iter().map(|&flag| flag_values(pool, flag, self.samples)).collect();
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
        let far = if ends || self.candidates.wealth == Wealth::Rich { 2 } else { 0 };
        // What samples show may be too much, so weaker bounds are candidates too.
        let usual = [0, 1].map(Integer::from);
        let least =
            below.last().into_iter().chain(below.iter().take(far / 2)).chain(usual.iter().filter(|c| *c <= low));
        found.extend(least.map(|c| pool.ge(x, pool.int(c.clone()))));
        let most =
            above.first().into_iter().chain(above.iter().rev().take(far)).chain(usual.iter().filter(|c| *c >= high));
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
    fn finish(self, known: &FxHashSet<Term>) -> Vec<Term> {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let new = |term: &Term| *term != Term::TRUE && !known.contains(term) && seen.insert(*term);
        let mut found: Vec<Term> = self.found.into_iter().filter(new).collect();
        found.truncate(MAX_CANDIDATES);
        found
    }
}

/// Equations between the columns that hold in all samples.
fn linear<'m>(pool: &TermPool, samples: impl IntoIterator<Item = &'m Model>, columns: &[Term]) -> Vec<Term> {
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

/// The terms over a copy of an instance at a place.
fn words(system: &System<'_>, kinds: &Kinds, matter: &Matter, wealth: Wealth, (place, copy): (Place, Copy)) -> Words {
    let pool = system.pool;
    let names: Substitution = system.renaming(place.template, 0, copy).collect();
    let locals = &system.templates[place.template].locals;
    let own = |var: &Var| locals.contains(var) && (wealth == Wealth::Rich || matter.local(place, *var));
    let is_counter = |var: &Var| system.counters.values().any(|counter| counter == var);
    let common = |var: &Var| system.shared.contains(var) && matter.shared(*var) && !is_counter(var);
    let shared = system.shared.iter().filter(|var| copy == 0 && common(var));
    let vars = shared.chain(locals.iter().filter(|var| own(var))).map(|&var| pool.of_var(var));
    let reads = kinds.reads.iter().copied().filter(|&read| {
        let vars = pool.free_vars(read);
        vars.iter().all(|var| common(var) || own(var)) && (copy == 0 || vars.iter().any(own))
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
                if wealth == Wealth::Rich || kinds.is_flag(pool, term) {
                    flags.push(renamed);
                }
            }
            _ => {}
        }
    }
    if copy == 0 {
        numbers.extend(system.crowds());
    }
    let is_shared = |flag: &Term| pool.free_vars(*flag).iter().all(common);
    flags.sort_by_key(|flag| !is_shared(flag));
    let shared_flags = flags.iter().take_while(|flag| is_shared(flag)).count();
    Words { numbers, truths, flags, shared_flags }
}
