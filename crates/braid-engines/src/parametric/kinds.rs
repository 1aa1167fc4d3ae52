//! Which numbers are worth comparing: those that the program compares, or copies from one to another.

use braid_check::threads::System;
use braid_logic::{Node, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

/// Numbers by kind. The cells of an array are of one kind, and so are its indices.
#[derive(Default)]
pub(super) struct Kinds {
    parents: FxHashMap<Key, Key>,
    /// The kinds of numbers that are compared with constants.
    tested: FxHashSet<Key>,
    /// Numbers of instances, which anything may count.
    crowds: Vec<Term>,
    /// The reads of arrays that the program has.
    pub reads: Vec<Term>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Key {
    /// A number, or the cells of an array.
    Of(Term),
    /// The indices of an array.
    Index(Term),
}

impl Kinds {
    pub fn of(system: &System<'_>) -> Kinds {
        let mut kinds = Kinds { crowds: system.crowds(), ..Kinds::default() };
        let pool = system.pool;
        let mut seen = FxHashSet::default();
        for m in system.templates.iter().flat_map(|t| &t.moves) {
            kinds.formula(pool, m.relation.guard, &mut seen);
            let own = |(var, _): &&(_, _)| !system.counters.values().any(|counter| counter == var);
            for &(var, term) in m.relation.updates.iter().filter(own) {
                let key = kinds.term(pool, term, &mut seen);
                kinds.join(Some(Key::Of(pool.of_var(var))), key);
            }
        }
        let fits = |read: &Term| {
            system
                .templates
                .iter()
                .any(|t| pool.free_vars(*read).iter().all(|var| system.shared.contains(var) || t.locals.contains(var)))
        };
        kinds.reads.retain(fits);
        kinds.reads.truncate(16);
        kinds
    }

    /// Are two numbers of one kind?
    pub fn same(&self, pool: &TermPool, one: Term, other: Term) -> bool {
        if self.crowds.contains(&one) || self.crowds.contains(&other) {
            return true;
        }
        match (self.find(leaf(pool, one)), self.find(leaf(pool, other))) {
            (a, b) if a == b => true,
            // Copies of variables are of the kind of the variable.
            (a, b) => self.find(base(pool, a)) == self.find(base(pool, b)),
        }
    }

    /// Is it a number whose values are told apart one by one?
    pub fn is_flag(&self, pool: &TermPool, number: Term) -> bool {
        let own = self.find(leaf(pool, number));
        self.tested.iter().any(|&key| self.find(key) == own)
    }

    fn find(&self, mut key: Key) -> Key {
        while let Some(&parent) = self.parents.get(&key) {
            key = parent;
        }
        key
    }

    fn join(&mut self, one: Option<Key>, other: Option<Key>) {
        let (Some(one), Some(other)) = (one, other) else { return };
        let (a, b) = (self.find(one), self.find(other));
        if a != b {
            self.parents.insert(a, b);
        }
    }

    fn formula(&mut self, pool: &TermPool, formula: Term, seen: &mut FxHashSet<Term>) {
        self.term(pool, formula, seen);
    }

    /// The kind of a number or of an array's cells; all numbers that are added or compared in it are of one kind.
    fn term(&mut self, pool: &TermPool, term: Term, seen: &mut FxHashSet<Term>) -> Option<Key> {
        match pool.node(term) {
            Node::Var(_) => return Some(Key::Of(term)),
            Node::Integer(_) | Node::True | Node::False => return None,
            _ => {}
        }
        let mut parts = Vec::new();
        pool.node(term).for_each_child(|part| parts.push(part));
        let keys: Vec<Option<Key>> = parts.iter().map(|&part| self.term(pool, part, seen)).collect();
        match pool.node(term) {
            Node::Select(..) => {
                if seen.insert(term) {
                    self.reads.push(term);
                }
                let index = keys[0].map(|key| match key {
                    Key::Of(array) => Key::Index(array),
                    index => index,
                });
                self.join(index, keys[1]);
                keys[0]
            }
            Node::Store(..) => {
                let index = keys[0].map(|key| match key {
                    Key::Of(array) => Key::Index(array),
                    index => index,
                });
                self.join(index, keys[1]);
                self.join(keys[0], keys[2]);
                keys[0]
            }
            Node::Zero(linear) if linear.parts.len() == 1 => {
                self.tested.extend(keys[0]);
                None
            }
            Node::And(_) | Node::Or(_) | Node::Not(_) => None,
            _ => {
                let known: Vec<Key> = keys.into_iter().flatten().collect();
                known.windows(2).for_each(|pair| self.join(Some(pair[0]), Some(pair[1])));
                known.first().copied()
            }
        }
    }
}

/// The key of a number.
fn leaf(pool: &TermPool, term: Term) -> Key {
    let mut term = term;
    while let Node::Select(array, _) | Node::Store(array, _, _) = pool.node(term) {
        term = *array;
    }
    Key::Of(term)
}

fn base(pool: &TermPool, key: Key) -> Key {
    let Key::Of(term) = key else { return key };
    let [var] = pool.free_vars(term) else { return key };
    pool.origin(*var).map_or(key, |(original, _)| Key::Of(pool.of_var(original)))
}
