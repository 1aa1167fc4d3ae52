//! Candidates for facts: formulas of a few shapes that hold in all samples.
//!
//! * nobody is ever there, where no sample is;
//! * bounds of numbers and their order, as far as the program compares them or copies one to another (`Kinds`);
//! * truth values, and all these where a flag has a certain value: what a lock protects holds while it is free;
//! * that an error does not happen, what is needed for that before a move, and before a move of another instance.
//!
//! Candidates are guesses. What is wrong is dropped later; what is missing leaves a program undecided.

use super::kinds::Kinds;
use super::matter::Matter;
use super::needed::needed;
use super::samples::Samples;
use super::shapes::{Shapes, linear};
use super::words::{Wealth, Words, words};
use braid_check::threads::{About, Copy, Facts, Place, System};
use braid_logic::{Integer, Sort, Substitution, Term, Value, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// How much is guessed.
#[derive(Clone, std::marker::Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stage {
    /// About one instance, and about two only that they are never there together.
    Alone,
    /// About two as well: how their numbers compare.
    Apart,
    /// About two all that is said of one.
    Two,
    /// And what holds while two flags have certain values.
    Flags,
}

pub(super) struct Candidates<'a, 'p> {
    pub system: &'a System<'p>,
    samples: &'a Samples,
    pub wealth: Wealth,
    pub kinds: Kinds,
    pub constants: Vec<Integer>,
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
        let needed = needed(self.system);
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
        self.numbers(&places, &mut facts);
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
        facts.set(About::One(system.first()), start.chain(system.nothing_given()).collect());
        let is_number = |term: &Term| {
            pool.sort_of(*term) == Sort::INT
                && !pool.free_vars(*term).iter().any(|var| system.counters.values().any(|counter| counter == var))
        };
        let numbers: Vec<Term> = system.shared.iter().map(|&var| pool.of_var(var)).filter(is_number).collect();
        // All counters together, and those of each template alone: what counts its instances says nothing of others.
        let of = |template: Option<usize>| {
            let own = counters.iter().filter(|(place, _)| template.is_none_or(|template| place.template == template));
            own.map(|(_, var)| pool.of_var(**var)).chain(numbers.iter().copied()).collect::<Vec<Term>>()
        };
        let samples = || places.iter().filter_map(|place| self.samples.one.get(place)).flatten();
        let groups = (0..system.templates.len()).map(Some).chain([None]);
        let found: Vec<Term> = groups.flat_map(|group| linear(pool, samples(), &of(group))).collect();
        for &place in places {
            let mut known = facts.get(About::One(place)).to_vec();
            if !known.contains(&Term::FALSE) {
                for &equation in &found {
                    if !known.contains(&equation) {
                        known.push(equation);
                    }
                }
                facts.set(About::One(place), known);
            }
        }
    }

    /// What is said of numbers that no thread has had yet, and that those of threads were given.
    fn numbers(&self, places: &[Place], facts: &mut Facts) {
        let (system, pool) = (self.system, self.system.pool);
        let Some(given) = system.given else { return };
        let first = |template: usize, read: Term| {
            let entry = Place { template, location: system.templates[template].entry };
            let samples = self.samples.one.get(&entry)?;
            let mut values = samples.iter().map(|model| pool.evaluate_in(read, model));
            let value = values.next()??;
            let term = match &value {
                Value::Bool(truth) => pool.bool(*truth),
                Value::Int(number) => pool.int(number.clone()),
                _ => return None,
            };
            values.all(|other| other.as_ref() == Some(&value)).then_some(term)
        };
        let free = super::numbers::about_numbers(system, &self.kinds, first);
        for &place in places {
            let own = system.templates[place.template].number;
            let own = own.map(|number| pool.select(pool.of_var(given), pool.of_var(number)));
            let mut known = facts.get(About::One(place)).to_vec();
            if !known.contains(&Term::FALSE) {
                known.extend(free.iter().copied().chain(own));
                facts.set(About::One(place), known);
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
        let locals = &self.system.templates[one.template].locals;
        let is_own = |term: &&Term| pool.free_vars(**term).iter().any(|var| locals.contains(var));
        let own: Vec<Term> = mine.numbers.iter().filter(is_own).copied().collect();
        if stage == Stage::Apart {
            shapes.apart(&words.numbers, &own, &theirs.numbers);
        } else {
            shapes.everything(&words, stage);
        }
        let truths = mine.truths.iter().flat_map(|&a| theirs.truths.iter().map(move |&b| (a, b)));
        shapes.keep(truths.map(|(a, b)| pool.not(pool.and([a, b]))).collect());
        // What is said of one need not be said of two.
        let names: Substitution = self.system.renaming(other.template, 0, 1).collect();
        let of_second = facts.get(About::One(other)).iter().map(|&fact| pool.substitute(fact, &names));
        let known = facts.get(About::One(one)).iter().copied().chain(of_second);
        shapes.finish(&known.filter(|_| self.wealth == Wealth::Poor).collect())
    }
}
