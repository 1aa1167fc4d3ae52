//! Locks: variables that at most one thread holds at a time, found by how the program uses them.
//!
//! A variable is a lock if every edge that writes it does one of these:
//!
//! * it *takes* the lock: it tests that the variable is 0 (or false), and sets it to another constant;
//! * it *gives it back*: it sets the variable to 0 (or false), at a location where its thread surely holds the lock;
//! * it takes it and gives it back in one step: it tests for 0, and sets it to 0;
//! * it sets it to 0 while no other thread is there.
//!
//! A thread *holds* a lock from taking it to giving it back. *Invariant*: while a thread holds a lock, the variable is not
//! 0, and no other thread holds it. For nobody else can take it (the test fails) or give it back (only holders do), and
//! where it is set to 0 regardless, there is nobody else. What a thread surely holds is computed forwards along its edges,
//! starting with nothing.

use super::concurrency::Concurrency;
use super::{Automaton, Edge};
use crate::cfa::{Location, Relation, ThreadId};
use braid_logic::{Integer, Node, SortKind, Term, TermPool, Var};
use rustc_hash::FxHashMap;

/// A set of locks, by their places in [`Locks::variables`].
pub(super) type LockSet = u64;
/// More locks than fit into a set are not looked at.
const MAX_LOCKS: usize = 64;

/// What an edge does with locks.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct LockUse {
    /// The locks that must be free for it to happen.
    pub tests: LockSet,
    /// The locks that its thread holds afterwards, and did not need to hold before.
    pub takes: LockSet,
    /// The locks that its thread does not hold afterwards.
    pub gives: LockSet,
}

impl LockUse {
    /// What two edges do, one after the other.
    pub fn then(self, next: LockUse) -> LockUse {
        LockUse {
            tests: self.tests | next.tests & !(self.takes | self.gives),
            takes: self.takes & !next.gives | next.takes,
            gives: self.gives & !next.takes | next.gives,
        }
    }

    /// What is held afterwards by who held `before`.
    pub fn after(self, before: LockSet) -> LockSet {
        before & !self.gives | self.takes
    }
}

/// The locks of a program.
pub(super) struct Locks {
    variables: Vec<Var>,
    /// What a thread surely holds at a location; all of them where it never gets to.
    held: Vec<Vec<LockSet>>,
}

impl Locks {
    pub fn of(pool: &TermPool, automata: &[Automaton], concurrency: &Concurrency) -> Locks {
        let mut locks = Locks { variables: candidates(pool, automata), held: Vec::new() };
        // The locks do not depend on each other: one that is none leaves the others as they are.
        locks.hold(pool, automata);
        let broken = locks.broken(pool, automata, concurrency);
        if broken != 0 {
            let kept = locks.variables.iter().enumerate().filter(|(number, _)| broken >> number & 1 == 0);
            locks.variables = kept.map(|(_, &var)| var).collect();
            locks.hold(pool, automata);
        }
        locks
    }

    /// What a thread surely holds at a location.
    pub fn held(&self, thread: ThreadId, location: Location) -> LockSet {
        self.held[thread.index()][location.index()]
    }

    /// The locks whose variables are wanted.
    pub fn among(&self, wanted: impl Fn(Var) -> bool) -> LockSet {
        let numbers = self.variables.iter().enumerate().filter(|(_, var)| wanted(**var));
        numbers.fold(0, |locks, (number, _)| locks | 1 << number)
    }

    /// What an edge of the original automata does with locks.
    pub fn used(&self, pool: &TermPool, relation: &Relation) -> LockUse {
        let mut used = LockUse::default();
        for (number, &var) in self.variables.iter().enumerate() {
            let lock = 1 << number;
            if is_tested(pool, relation, var) {
                used.tests |= lock;
            }
            match written(pool, relation, var) {
                Some(Written::Taken) => used.takes |= lock,
                Some(Written::Free) => used.gives |= lock,
                Some(Written::Other) | None => {}
            }
        }
        used
    }

    fn hold(&mut self, pool: &TermPool, automata: &[Automaton]) {
        self.held = automata.iter().map(|automaton| vec![LockSet::MAX; automaton.locations.len()]).collect();
        for (number, automaton) in automata.iter().enumerate() {
            let uses: Vec<LockUse> =
                automaton.edges.iter().map(|edge| self.used(pool, &Relation::of_steps(pool, &edge.steps))).collect();
            let held = &mut self.held[number];
            held[automaton.entry.index()] = 0;
            loop {
                let mut changed = false;
                for (edge, used) in automaton.edges.iter().zip(&uses) {
                    let after = held[edge.target.index()] & used.after(held[edge.source.index()]);
                    changed |= after != std::mem::replace(&mut held[edge.target.index()], after);
                }
                if !changed {
                    break;
                }
            }
        }
    }

    /// The candidates that somebody gives back without holding them.
    fn broken(&self, pool: &TermPool, automata: &[Automaton], concurrency: &Concurrency) -> LockSet {
        let mut broken = 0;
        for (number, automaton) in automata.iter().enumerate() {
            let thread = ThreadId(number as u32);
            for edge in &automaton.edges {
                let used = self.used(pool, &Relation::of_steps(pool, &edge.steps));
                let careless = used.gives & !used.tests & !self.held(thread, edge.source);
                if careless != 0 && !concurrency.during(thread, edge).is_empty() {
                    broken |= careless;
                }
            }
        }
        broken
    }
}

/// What an edge writes to a lock.
enum Written {
    Taken,
    Free,
    Other,
}

fn written(pool: &TermPool, relation: &Relation, var: Var) -> Option<Written> {
    let (_, value) = relation.updates.iter().find(|(written, _)| *written == var)?;
    let closed = matches!(pool.node(*value), Node::Integer(_) | Node::BitVec { .. } | Node::True | Node::False);
    Some(match *value == free(pool, var) {
        true => Written::Free,
        false if closed => Written::Taken,
        false => Written::Other,
    })
}

/// The value of a lock that nobody holds.
fn free(pool: &TermPool, var: Var) -> Term {
    match pool.sort_kind(pool.var_sort(var)) {
        SortKind::Bool => Term::FALSE,
        SortKind::BitVec(width) => pool.bv_value(&Integer::ZERO, *width),
        _ => pool.int(0),
    }
}

/// Does the edge happen only if the lock is free?
fn is_tested(pool: &TermPool, relation: &Relation, var: Var) -> bool {
    let test = pool.eq(pool.of_var(var), free(pool, var));
    match pool.node(relation.guard) {
        _ if relation.guard == test => true,
        Node::And(conjuncts) => conjuncts.contains(&test),
        _ => false,
    }
}

/// The variables that are written as locks are, but for who gives them back.
fn candidates(pool: &TermPool, automata: &[Automaton]) -> Vec<Var> {
    let mut found: FxHashMap<Var, (bool, bool)> = FxHashMap::default();
    let edges = automata.iter().flat_map(|automaton| &automaton.edges);
    for relation in edges.map(|edge: &Edge| Relation::of_steps(pool, &edge.steps)) {
        for &(var, _) in &relation.updates {
            let (fits, taken) = found.entry(var).or_insert((true, false));
            *fits &= matches!(pool.sort_kind(pool.var_sort(var)), SortKind::Bool | SortKind::Int | SortKind::BitVec(_));
            *fits &= *fits
                && match written(pool, &relation, var) {
                    Some(Written::Taken) => is_tested(pool, &relation, var),
                    Some(Written::Free) => true,
                    _ => false,
                };
            *taken |= *fits && matches!(written(pool, &relation, var), Some(Written::Taken));
        }
    }
    let mut variables: Vec<Var> =
        found.into_iter().filter(|(_, (fits, taken))| *fits && *taken).map(|(var, _)| var).collect();
    variables.sort_unstable();
    variables.truncate(MAX_LOCKS);
    variables
}
