//! Ghost counters: for each place, how many instances are there.
//!
//! They are shared variables that moves keep up to date and nobody reads, so they change nothing. What they are for: facts such as
//! "`c` is the number of instances between lock and unlock" are about any number of instances at once, and are said of counters.
//! What is true of counters by their meaning (`known`) needs no proof: none is negative, and there are at least as many instances at a place as
//! an obligation speaks of.

use super::system::{Copy, Move, Place, System};
use crate::ghost;
use braid_logic::{Sort, Term, Var};
use rustc_hash::FxHashMap;

impl System<'_> {
    /// Adds a counter for each place.
    pub fn count(&mut self) {
        let pool = self.pool;
        let places: Vec<Place> = self.places().collect();
        for place in places {
            let name = format!("#{}@{}", self.templates[place.template].name, place.location.index());
            let counter = ghost(pool, &name, Sort::INT, |var| self.has(var));
            self.counters.insert(place, counter);
        }
        self.shared.extend(self.counters.values());
        self.shared.sort_unstable();
        let exits: Vec<Place> = self.ends(|t| t.exit);
        let entries: Vec<Place> = self.ends(|t| t.entry);
        for (template, t) in self.templates.iter_mut().enumerate() {
            for m in &mut t.moves {
                let mut changes: FxHashMap<Place, i64> = FxHashMap::default();
                *changes.entry(Place { template, location: m.source }).or_default() -= 1;
                *changes.entry(Place { template, location: m.target }).or_default() += 1;
                m.joins.iter().for_each(|&joined| *changes.entry(exits[joined]).or_default() -= 1);
                m.forks.iter().for_each(|&child| *changes.entry(entries[child]).or_default() += 1);
                for (place, change) in changes.into_iter().filter(|(_, change)| *change != 0) {
                    let counter = self.counters[&place];
                    let after = pool.add([pool.of_var(counter), pool.int(change)]);
                    m.write(counter, after);
                }
            }
        }
    }

    fn ends(&self, end: impl Fn(&super::system::Template) -> braid_program::cfa::Location) -> Vec<Place> {
        let numbered = self.templates.iter().enumerate();
        numbered.map(|(template, t)| Place { template, location: end(t) }).collect()
    }

    /// What counters are at the start.
    pub fn first_count(&self, place: Place) -> i64 {
        i64::from(place == self.first())
    }

    /// What is true of ghost variables at the start.
    pub fn start(&self) -> Vec<Term> {
        let pool = self.pool;
        let count = |(&place, &counter)| pool.eq(pool.of_var(counter), pool.int(self.first_count(place)));
        self.counters.iter().map(count).chain(self.nothing_given()).collect()
    }

    /// What is true of counters where these instances are.
    pub fn known_counts(&self, cast: &[(Place, Copy)]) -> Vec<Term> {
        let pool = self.pool;
        let mut places: Vec<(&Place, &Var)> = self.counters.iter().collect();
        places.sort_unstable();
        let mut known: Vec<Term> = Vec::new();
        for &(&place, &counter) in &places {
            let there = cast.iter().filter(|(other, _)| *other == place).count();
            known.push(pool.ge(pool.of_var(counter), pool.int(there as i64)));
        }
        let alone = self.templates.iter().enumerate().filter(|(_, t)| !t.any && !places.is_empty());
        for (template, _) in alone {
            let own = places.iter().filter(|(place, _)| place.template == template).map(|(_, var)| pool.of_var(**var));
            known.push(pool.le(pool.add(own.collect::<Vec<_>>()), pool.int(1)));
        }
        known
    }

    /// Numbers of instances that variables may be compared with: all of a template, and those that have ended.
    pub fn crowds(&self) -> Vec<Term> {
        let pool = self.pool;
        let mut found = Vec::new();
        for (template, t) in self.templates.iter().enumerate().filter(|(_, t)| t.any) {
            let of = |location| self.counters.get(&Place { template, location }).map(|&var| pool.of_var(var));
            let mut all: Vec<(&Place, &Var)> =
                self.counters.iter().filter(|(place, _)| place.template == template).collect();
            all.sort_unstable();
            found.extend(of(t.exit));
            if !all.is_empty() {
                found.push(pool.add(all.into_iter().map(|(_, &var)| pool.of_var(var)).collect::<Vec<_>>()));
            }
        }
        found
    }
}

impl Move {
    /// Lets the move write one more variable.
    pub fn write(&mut self, var: Var, value: Term) {
        self.relation.updates.push((var, value));
        self.relation.updates.sort_unstable_by_key(|(var, _)| *var);
        self.relation.writes = self.relation.updates.iter().map(|(var, _)| *var).collect();
        self.relation.reads.push(var);
        self.relation.reads.sort_unstable();
        self.relation.reads.dedup();
    }
}
