//! Locks that one writer holds alone, or any number of readers: numbers that count the readers, with -1 for the writer.
//!
//! A variable `s` is such a lock if each thread knows at each location how it holds it (as reader, as writer, or not at all), and every edge that writes it does one
//! of these:
//!
//! * it takes the lock as reader, not holding it: it tests that `s` is not negative, and adds 1 (without getting too large);
//! * it takes the lock as writer, not holding it: it tests for 0, and sets -1;
//! * it gives it back as reader: it takes 1 away; or as writer: it sets 0;
//! * it sets 0 without holding the lock, where `s` is 0 already, or while no other thread is there.
//!
//! *Invariant*: if a thread holds the lock as writer, `s` is -1 and nobody else holds it; if there are `n > 0` readers, `s` is at least `n`, and nobody is writer.
//! Nothing is said of `s` where nobody holds it, so it may have any value at first: if it is negative, nobody ever reads. Each kind of edge keeps this. An edge that contradicts it
//! cannot happen: one that needs `s > 0` where its thread is writer, or `s ≤ 0` where it is reader. Nobody ends with the lock.

use super::concurrency::Concurrency;
use super::{Automaton, Edge};
use crate::cfa::{Location, Relation, ThreadId};
use braid_logic::{BvOp, Integer, Node, SortKind, Substitution, Term, TermPool, Var};
use rustc_hash::FxHashMap;

/// How a thread holds a lock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Hold {
    No,
    Reader,
    Writer,
}

/// How a lock is held at each location of each thread; none where a thread never gets to.
type Holds = Vec<Vec<Option<Hold>>>;

/// The locks of a program that have readers and writers.
pub(super) struct ReadWriteLocks(Vec<(Lock, Holds)>);

/// The terms that say what happens to a lock.
struct Lock {
    var: Var,
    /// The values 0 and -1, and the largest one if there is one.
    zero: Term,
    minus_one: Term,
    largest: Option<Term>,
    /// The value plus and minus 1.
    up: Term,
    down: Term,
    /// Is it 0?
    is_zero: Term,
    /// It is at most 0, or less: all that says so.
    not_positive: Vec<Term>,
    /// It is more than 0, or at least 0.
    not_negative: Vec<Term>,
}

impl ReadWriteLocks {
    pub fn of(
        pool: &TermPool,
        automata: &[Automaton],
        concurrency: &Concurrency,
        relations: &[Vec<Relation>],
    ) -> ReadWriteLocks {
        let mut taken: FxHashMap<Var, (bool, bool)> = FxHashMap::default();
        for relation in relations.iter().flatten() {
            for (var, value) in relation.updates.iter().filter(|(var, _)| is_number(pool, *var)) {
                let (read, written) = taken.entry(*var).or_default();
                *read |= *value == moved(pool, *var, 1);
                *written |= *value == of_number(pool, *var, -1);
            }
        }
        let mut vars: Vec<Var> =
            taken.into_iter().filter(|(_, (read, written))| *read && *written).map(|(var, _)| var).collect();
        vars.sort_unstable();
        let locks = vars.into_iter().filter_map(|var| {
            let lock = Lock::new(pool, var);
            let holds = lock.holds(pool, automata, concurrency, relations)?;
            Some((lock, holds))
        });
        ReadWriteLocks(locks.collect())
    }

    /// Can an edge of a thread not happen while another one is at a location? `tests`: is what the edge tests true before it?
    pub fn exclude(
        &self,
        pool: &TermPool,
        (thread, edge, relation): (ThreadId, &Edge, &Relation),
        (other, location): (ThreadId, Location),
        tests: bool,
    ) -> bool {
        self.0.iter().any(|(lock, holds)| {
            let own = holds[thread.index()][edge.source.index()].unwrap_or(Hold::No);
            let needed = if tests { own.max(lock.needed(pool, relation.guard)) } else { own };
            let theirs = holds[other.index()][location.index()].unwrap_or(Hold::No);
            matches!((needed, theirs), (Hold::Writer, Hold::Reader | Hold::Writer) | (Hold::Reader, Hold::Writer))
        })
    }
}

impl Lock {
    fn new(pool: &TermPool, var: Var) -> Lock {
        let this = pool.of_var(var);
        let (zero, minus_one) = (of_number(pool, var, 0), of_number(pool, var, -1));
        let (largest, not_positive): (_, Vec<Term>) = match pool.bv_width(pool.var_sort(var)) {
            Some(width) => {
                let largest = pool.bv_value(&Integer::from((1i128 << (width - 1)) - 1), width);
                let orders = |a, b| [BvOp::Slt, BvOp::Sle].map(|order| pool.bv(order, &[a, b]));
                let opposites = orders(zero, this).map(|formula| pool.not(formula));
                (Some(largest), orders(this, zero).into_iter().chain(opposites).collect())
            }
            None => (None, vec![pool.le(this, zero), pool.lt(this, zero)]),
        };
        Lock {
            var,
            zero,
            minus_one,
            largest,
            up: moved(pool, var, 1),
            down: moved(pool, var, -1),
            is_zero: pool.eq(this, zero),
            not_negative: not_positive.iter().map(|&formula| pool.not(formula)).collect(),
            not_positive,
        }
    }

    /// Can an edge with this guard not happen if the lock has the value?
    fn excludes(&self, pool: &TermPool, guard: Term, value: Term) -> bool {
        pool.substitute(guard, &Substitution::from_iter([(self.var, value)])) == Term::FALSE
    }

    /// How nobody else may hold the lock when an edge with this guard happens: as if its thread held it in this way.
    fn needed(&self, pool: &TermPool, guard: Term) -> Hold {
        match () {
            () if demands(pool, guard, self.is_zero) => Hold::Writer,
            () if self.excludes(pool, guard, self.minus_one) => Hold::Reader,
            () => Hold::No,
        }
    }

    /// How threads hold the lock where, if all is as it should be.
    fn holds(
        &self,
        pool: &TermPool,
        automata: &[Automaton],
        concurrency: &Concurrency,
        relations: &[Vec<Relation>],
    ) -> Option<Holds> {
        let mut all = Vec::new();
        for (number, (automaton, relations)) in automata.iter().zip(relations).enumerate() {
            let thread = ThreadId(number as u32);
            let mut holds: Vec<Option<Hold>> = vec![None; automaton.locations.len()];
            holds[automaton.entry.index()] = Some(Hold::No);
            let mut changed = true;
            while changed {
                changed = false;
                for (edge, relation) in automaton.edges.iter().zip(relations) {
                    let Some(before) = holds[edge.source.index()] else { continue };
                    if self.contradicts(pool, relation.guard, before) {
                        continue;
                    }
                    let alone = || concurrency.during(thread, edge).is_empty();
                    let after = self.after(pool, relation, before, alone)?;
                    match holds[edge.target.index()].replace(after) {
                        Some(known) if known != after => return None,
                        known => changed |= known.is_none(),
                    }
                }
            }
            if !matches!(holds[automaton.exit.index()], None | Some(Hold::No)) {
                return None;
            }
            all.push(holds);
        }
        Some(all)
    }

    /// Can an edge with this guard not happen where its thread holds the lock in this way?
    fn contradicts(&self, pool: &TermPool, guard: Term, hold: Hold) -> bool {
        match hold {
            Hold::No => false,
            Hold::Reader => {
                let mut excluding = self.not_positive.iter().chain([&self.is_zero]);
                excluding.any(|&formula| demands(pool, guard, formula))
            }
            Hold::Writer => self.excludes(pool, guard, self.minus_one),
        }
    }

    /// How the lock is held after an edge; none if the edge does not treat it as such a lock.
    fn after(&self, pool: &TermPool, relation: &Relation, before: Hold, alone: impl Fn() -> bool) -> Option<Hold> {
        let Some((_, value)) = relation.updates.iter().find(|(var, _)| *var == self.var) else { return Some(before) };
        let tested = demands(pool, relation.guard, self.is_zero);
        match before {
            Hold::No if *value == self.minus_one && tested => Some(Hold::Writer),
            Hold::No if *value == self.up => {
                let not_negative = self.not_negative.iter().any(|&formula| demands(pool, relation.guard, formula));
                let fits = |largest| self.excludes(pool, relation.guard, largest);
                (not_negative && self.largest.is_none_or(fits)).then_some(Hold::Reader)
            }
            Hold::No => (*value == self.zero && (tested || alone())).then_some(Hold::No),
            Hold::Reader => (*value == self.down).then_some(Hold::No),
            Hold::Writer => (*value == self.zero).then_some(Hold::No),
        }
    }
}

/// Is the formula a part of the guard?
fn demands(pool: &TermPool, guard: Term, formula: Term) -> bool {
    guard == formula || matches!(pool.node(guard), Node::And(conjuncts) if conjuncts.contains(&formula))
}

fn is_number(pool: &TermPool, var: Var) -> bool {
    matches!(pool.sort_kind(pool.var_sort(var)), SortKind::Int | SortKind::BitVec(2..=64))
}

/// A number as a value of a variable.
fn of_number(pool: &TermPool, var: Var, number: i64) -> Term {
    match pool.bv_width(pool.var_sort(var)) {
        Some(width) => pool.bv_value(&Integer::from(number), width),
        None => pool.int(number),
    }
}

/// The value of a variable, moved by a number.
fn moved(pool: &TermPool, var: Var, by: i64) -> Term {
    let (this, by) = (pool.of_var(var), of_number(pool, var, by));
    match pool.bv_width(pool.var_sort(var)) {
        Some(_) => pool.bv(BvOp::Add, &[this, by]),
        None => pool.add([this, by]),
    }
}
