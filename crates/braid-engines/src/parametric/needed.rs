//! What must hold for errors not to happen: found backwards from them, along the moves of an instance, of who starts it, and of others.

use braid_check::threads::{About, Move, Place, System};
use braid_logic::{Node, Substitution, Term, TermPool};
use rustc_hash::FxHashSet;

/// Larger formulas are no candidates.
const MAX_SIZE: u32 = 120;
/// So many moves are followed.
const BACKWARDS: usize = 3;

/// What is needed, as far as it can be said of one instance or two.
pub(super) fn needed(system: &System<'_>) -> Vec<(About, Term)> {
    let mut search = Search { system, known: FxHashSet::default(), found: Vec::new(), next: Vec::new() };
    for (template, t) in system.templates.iter().enumerate() {
        search.next.extend(t.errors.iter().map(|&location| (Place { template, location }, Term::FALSE)));
    }
    for _ in 0..BACKWARDS {
        for (place, fact) in std::mem::take(&mut search.next) {
            search.by_its_moves(place, fact);
            search.of_others(place, fact);
        }
    }
    search.found
}

struct Search<'a, 'p> {
    system: &'a System<'p>,
    known: FxHashSet<(About, Term)>,
    found: Vec<(About, Term)>,
    /// What was found about one instance, to go on from.
    next: Vec<(Place, Term)>,
}

impl Search<'_, '_> {
    /// What must hold before a move to the place, or before one that starts an instance there.
    fn by_its_moves(&mut self, place: Place, fact: Term) {
        let (system, pool) = (self.system, self.system.pool);
        for (template, t) in system.templates.iter().enumerate() {
            for m in &t.moves {
                let own = template == place.template && m.target == place.location;
                let starts =
                    m.forks.contains(&place.template) && system.templates[place.template].entry == place.location;
                if own || starts {
                    let source = Place { template, location: m.source };
                    let before = m.relation.before(pool, fact);
                    self.add_one(m, source, before);
                    self.add_one(m, source, pool.implies(m.relation.guard, before));
                }
            }
        }
    }

    fn add_one(&mut self, m: &Move, source: Place, before: Term) {
        let pool = self.system.pool;
        let known = |term: Term| {
            let own = &self.system.templates[source.template].locals;
            pool.free_vars(term).iter().all(|var| self.system.shared.contains(var) || own.contains(var))
        };
        debug_assert_eq!(m.source, source.location);
        let parts = pool.conjuncts(before).into_iter().flat_map(|part| stronger(pool, part).into_iter().chain([part]));
        for part in parts.collect::<Vec<_>>() {
            let fits = part != Term::TRUE && part != Term::FALSE && pool.size(part) <= MAX_SIZE && known(part);
            if fits && self.known.insert((About::One(source), part)) {
                self.next.push((source, part));
                self.found.push((About::One(source), part));
            }
        }
    }

    /// What must hold of two for a move of the second to keep a fact about the first.
    fn of_others(&mut self, place: Place, fact: Term) {
        let (system, pool) = (self.system, self.system.pool);
        for (template, t) in system.templates.iter().enumerate() {
            let simple = |m: &&Move| m.relation.choices.is_empty() && m.forks.is_empty() && m.joins.is_empty();
            for m in t.moves.iter().filter(simple) {
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
                if term != Term::TRUE && pool.size(term) <= MAX_SIZE && self.known.insert((about, term)) {
                    self.found.push((about, term));
                }
            }
        }
    }
}

/// The formula with an inequality for a disequality in it: what is different because it grows stays different.
fn stronger(pool: &TermPool, formula: Term) -> Vec<Term> {
    let disjuncts = pool.disjuncts(formula);
    let mut found = Vec::new();
    for (at, &disjunct) in disjuncts.iter().enumerate() {
        let Node::Not(equation) = pool.node(disjunct) else { continue };
        let Node::Zero(linear) = pool.node(*equation) else { continue };
        let sum = pool.linear(linear.clone());
        for side in [pool.lt(sum, pool.int(0)), pool.gt(sum, pool.int(0))] {
            let others = disjuncts.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, term)| *term);
            found.push(pool.or(others.chain([side]).collect::<Vec<_>>()));
        }
    }
    found
}
