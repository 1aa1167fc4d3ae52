//! What makes facts about one instance, and about two, an invariant of the system: thread-modular proofs of level 2 (Hoenicke, Majumdar and Podelski 2017;
//! Gupta, Popeea and Rybalchenko 2011 for level 1).
//!
//! A fact at a place says something of every instance there: about the shared variables and its own ones. A fact at two places says something
//! of every two different instances there. *Theorem*: if every obligation below holds, then in every reachable state every fact holds of all
//! instances. By induction over moves: let the facts hold of all instances before a move. After it, take one instance, or two.
//! Each was there before, or is new. Those that were there, the mover, and the instance that was joined are different ones, so all facts about
//! each of them and about any two of them hold, and these are the obligation's premises. What is left are the cases: the instance is the mover;
//! it is another one; it is new; and for two instances the combinations. The first state has one instance, at its entry with any
//! values, and counters as they start: facts at that place must hold of all those.
//!
//! An instance that is joined is gone. Where there is one instance of a template at most, a move that joins it leaves none to speak of,
//! and one that starts it finds none.

use super::facts::{Facts, Origin};
use super::system::{Copy, JOINED, Move, NEWBORN, Place, System};
use braid_logic::{Substitution, Term};
use braid_program::cfa::Relation;

/// What a fact speaks of.
#[derive(Clone, std::marker::Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum About {
    /// Any instance at a place.
    One(Place),
    /// Any two instances, the first at the first place; the places are in order.
    Two(Place, Place),
}

/// After a move, the facts about `goal` hold.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What the facts are about.
    pub goal: About,
    /// The instances before the move, with their copies.
    pub cast: Vec<(Place, Copy)>,
    /// Who moves: its template and which of its moves.
    pub mover: (usize, usize),
    /// Its copy.
    pub mover_copy: Copy,
    /// The new instances that the goal speaks of.
    pub born: Vec<(usize, Copy)>,
}

impl System<'_> {
    fn moves(&self) -> impl Iterator<Item = ((usize, usize), &Move, Place)> {
        self.templates.iter().enumerate().flat_map(|(template, t)| {
            let numbered = t.moves.iter().enumerate();
            numbered.map(move |(number, m)| ((template, number), m, Place { template, location: m.source }))
        })
    }

    /// Can an instance at the first place and another at the second be there together, as far as their number goes?
    pub fn can_meet(&self, one: usize, other: usize) -> bool {
        one != other || self.templates[one].any
    }

    /// Does the move leave an instance of the template that was there before, other than the mover?
    fn leaves(&self, m: &Move, template: usize) -> bool {
        self.templates[template].any || !(m.joins.contains(&template) || m.forks.contains(&template))
    }

    fn is_born(&self, m: &Move, place: Place) -> bool {
        m.forks.contains(&place.template) && self.templates[place.template].entry == place.location
    }

    /// All obligations about facts at one place, or at two.
    pub fn obligations(&self, goal: About) -> Vec<Obligation> {
        match goal {
            About::One(place) => self.about_one(place),
            About::Two(one, other) => self.about_two(one, other),
        }
    }

    fn about_one(&self, place: Place) -> Vec<Obligation> {
        let goal = About::One(place);
        let mut found = Vec::new();
        for (mover, m, from) in self.moves() {
            let obligation = |cast, mover_copy, born| Obligation { goal, cast, mover, mover_copy, born };
            if from.template == place.template && m.target == place.location {
                found.push(obligation(vec![(from, 0)], 0, vec![]));
            }
            if self.is_born(m, place) {
                found.push(obligation(vec![(from, 1)], 1, vec![(place.template, 0)]));
            }
            if self.can_meet(place.template, from.template) && self.leaves(m, place.template) {
                found.push(obligation(vec![(place, 0), (from, 1)], 1, vec![]));
            }
        }
        found
    }

    fn about_two(&self, one: Place, other: Place) -> Vec<Obligation> {
        let goal = About::Two(one, other);
        let mut found = Vec::new();
        for (mover, m, from) in self.moves() {
            let obligation = |cast, mover_copy, born| Obligation { goal, cast, mover, mover_copy, born };
            for ((mine, copy), (theirs, second)) in [((one, 0), (other, 1)), ((other, 1), (one, 0))] {
                let (me, them) = (mine.template, theirs.template);
                let moves = from.template == me && m.target == mine.location;
                // The mover and one that was there, or one that it starts.
                if moves && self.leaves(m, them) {
                    found.push(obligation(vec![(from, copy), (theirs, second)], copy, vec![]));
                }
                if moves && self.is_born(m, theirs) {
                    found.push(obligation(vec![(from, copy)], copy, vec![(them, second)]));
                }
                // One that was there, and one that a third starts.
                if self.is_born(m, theirs) && self.can_meet(me, from.template) && self.leaves(m, me) {
                    found.push(obligation(vec![(mine, copy), (from, 2)], 2, vec![(them, second)]));
                }
            }
            if one.template != other.template && self.is_born(m, one) && self.is_born(m, other) {
                found.push(obligation(vec![(from, 2)], 2, vec![(one.template, 0), (other.template, 1)]));
            }
            let third = self.can_meet(one.template, from.template) && self.can_meet(other.template, from.template);
            if third && self.leaves(m, one.template) && self.leaves(m, other.template) {
                found.push(obligation(vec![(one, 0), (other, 1), (from, 2)], 2, vec![]));
            }
        }
        found
    }
}

/// An obligation as formulas.
pub struct Condition {
    /// What is known.
    pub premises: Vec<Term>,
    /// For each premise the fact that it comes from, if it is one.
    pub origins: Vec<Origin>,
    /// The instances before the move, with those that it joins.
    pub cast: Vec<(Place, Copy)>,
    relation: Relation,
}

impl Condition {
    /// What is known before the move and of what it does; none if nothing can be there.
    pub fn of(system: &System<'_>, obligation: &Obligation, facts: &Facts) -> Option<Condition> {
        let (template, number) = obligation.mover;
        let m = &system.templates[template].moves[number];
        let pool = system.pool;
        let exits =
            m.joins.iter().map(|&joined| (Place { template: joined, location: system.templates[joined].exit }, JOINED));
        let cast: Vec<(Place, Copy)> = obligation.cast.iter().copied().chain(exits).collect();
        let relation = instance(system, m, obligation);
        let mut premises: Vec<(Term, Origin)> = vec![(relation.guard, None)];
        for (at, &(place, copy)) in cast.iter().enumerate() {
            facts.add_one(system, place, copy, &mut premises);
            for &(other, second) in &cast[..at] {
                if system.can_meet(place.template, other.template) {
                    facts.add_two(system, (other, second), (place, copy), &mut premises);
                } else {
                    return None;
                }
            }
        }
        let before: Vec<(usize, Copy)> = cast.iter().map(|(place, copy)| (place.template, *copy)).collect();
        let by_meaning = system.different_numbers(&before).into_iter().chain(system.known_counts(&cast));
        premises.extend(by_meaning.map(|term| (term, None)));
        let after: Vec<(usize, Copy)> = before.into_iter().chain(obligation.born.iter().copied()).collect();
        let later = system.different_numbers(&after).into_iter().map(|term| relation.before(pool, term));
        premises.extend(later.map(|term| (term, None)));
        let (premises, origins) = premises.into_iter().unzip();
        Some(Condition { premises, origins, cast, relation })
    }

    /// Can this not be, at first sight?
    pub fn is_void(&self, system: &System<'_>) -> bool {
        system.pool.and(self.premises.iter().copied()) == Term::FALSE
    }

    /// A fact about the goal, as said of the state before the move.
    pub fn before(&self, system: &System<'_>, fact: Term) -> Term {
        self.relation.before(system.pool, fact)
    }
}

/// The move as one of the instances that play the parts.
fn instance(system: &System<'_>, m: &Move, obligation: &Obligation) -> Relation {
    let mut names: Substitution = system.renaming(obligation.mover.0, 0, obligation.mover_copy).collect();
    for &child in &m.forks {
        let copy = obligation.born.iter().find(|(template, _)| *template == child).map_or(NEWBORN, |&(_, copy)| copy);
        names.extend(system.renaming(child, 0, copy));
    }
    m.relation.renamed(system.pool, &names)
}
