//! Facts about instances: what holds of any one at a place, and of any two at two places.

use super::obligations::About;
use super::system::{Copy, Place, System};
use braid_logic::{Substitution, Term};
use rustc_hash::FxHashMap;

/// The fact that a premise is an instance of, if it is one.
pub type Origin = Option<(About, Term)>;

/// Facts by what they are about. Those about one instance speak of its copy 0, those about two of copies 0 and 1.
#[derive(Default, Clone)]
pub struct Facts {
    of: FxHashMap<About, Vec<Term>>,
}

impl Facts {
    /// The facts about something.
    pub fn get(&self, about: About) -> &[Term] {
        self.of.get(&about).map_or(&[], Vec::as_slice)
    }

    /// Puts facts in place of those that there were.
    pub fn set(&mut self, about: About, facts: Vec<Term>) {
        self.of.insert(about, facts);
    }

    /// Adds others.
    pub fn extend(&mut self, others: &Facts) {
        for (&about, facts) in &others.of {
            let own = self.of.entry(about).or_default();
            facts.iter().for_each(|fact| {
                if !own.contains(fact) {
                    own.push(*fact);
                }
            });
        }
    }

    /// What there are facts about, in order.
    pub fn subjects(&self) -> Vec<About> {
        let mut subjects: Vec<About> =
            self.of.iter().filter(|(_, facts)| !facts.is_empty()).map(|(about, _)| *about).collect();
        subjects.sort_unstable();
        subjects
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.of.values().map(Vec::len).sum()
    }

    /// Can nobody be there?
    pub fn excludes(&self, about: About) -> bool {
        self.get(about).contains(&Term::FALSE)
    }

    /// Adds what is known of an instance at a place.
    pub fn add_one(&self, system: &System<'_>, place: Place, copy: Copy, known: &mut Vec<(Term, Origin)>) {
        let names: Substitution = system.renaming(place.template, 0, copy).collect();
        let about = About::One(place);
        let say = |&fact: &Term| (system.pool.substitute(fact, &names), Some((about, fact)));
        known.extend(self.get(about).iter().map(say));
    }

    /// Adds what is known of two instances.
    pub fn add_two(
        &self,
        system: &System<'_>,
        one: (Place, Copy),
        other: (Place, Copy),
        known: &mut Vec<(Term, Origin)>,
    ) {
        let ((first, a), (second, b)) = if one.0 <= other.0 { (one, other) } else { (other, one) };
        let about = About::Two(first, second);
        let facts = self.get(about);
        if facts.is_empty() {
            return;
        }
        let mut say = |a: Copy, b: Copy| {
            let names = system.renaming(first.template, 0, a).chain(system.renaming(second.template, 1, b));
            let names: Substitution = names.collect();
            known.extend(facts.iter().map(|&fact| (system.pool.substitute(fact, &names), Some((about, fact)))));
        };
        say(a, b);
        if first == second {
            say(b, a);
        }
    }
}
