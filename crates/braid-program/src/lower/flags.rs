//! Flags: truth values that are true only while some thread is in the middle of something. Data races are checked with them: a write raises
//! the flag of its cell and takes it down again, and every other access asserts that the flag is down.
//!
//! A *flag* is a truth value that every edge leaves as it is, raises (sets to true) or takes down (sets to false). Its *companions* are variables that are
//! written only by edges that also write the flag: the index of an element that is being written, say. A thread is *behind* the flag
//! at the targets of its edges that raise it, and wherever it gets from there without taking it down. At first the flag may have any value, so the
//! first thread is behind it at its entry. No thread ends behind a flag; what does not fit is no flag.
//!
//! *Invariant*: where a flag is up, the thread that raised it last is behind it, and the companions have the values that it gave them. (At first this is
//! the first thread, and they have any value.) A step that raises the flag makes it so. Another step of that thread either takes the flag down, or leads
//! to a location behind it. Another step of another thread changes neither the flag nor its companions. Nobody who is behind a flag is joined.
//!
//! So when an edge of `u` happens, the flag is down, or one of the threads that can be at a location behind it at that moment has raised it. A thread
//! cannot be there if the two are not there at the same time (`concurrency`), or because of a lock (`locks`, `rwlocks`) that it surely holds there, and
//! that `u` holds, or tests to be free. What is known in this way makes the tests of flags simpler; so tests of locks that are flags themselves do not count: nothing may
//! be left out because of itself. This looks at pairs of threads only, as templates ask for (`fork`).

use super::concurrency::{Concurrency, Threads};
use super::graph::targets;
use super::locks::Locks;
use super::rwlocks::ReadWriteLocks;
use super::{Automaton, Edge};
use crate::cfa::{Location, Relation, ThreadId};
use crate::graph::reached;
use braid_logic::{SortKind, Substitution, Term, TermPool, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What a flag and its companions are once the flag was raised, as far as that is always the same; none: anything.
type Raised = Option<Rc<Vec<(Var, Term)>>>;

/// A location behind a flag, with what the flag was raised with.
struct Behind {
    thread: ThreadId,
    location: Location,
    raised: Raised,
}

/// The flags of a program.
pub(super) struct Flags {
    behind: FxHashMap<Var, Vec<Behind>>,
    /// What keeps threads apart; nothing where there are no flags.
    apart: Option<(Locks, ReadWriteLocks)>,
}

/// What is known of a flag when an edge happens: it is down, or up in one of these ways.
#[derive(Debug)]
pub(super) struct FlagState {
    flag: Var,
    up: Vec<Rc<Vec<(Var, Term)>>>,
}

impl FlagState {
    /// The flag, if it is down.
    pub fn is_down(&self) -> Option<Var> {
        self.up.is_empty().then_some(self.flag)
    }

    /// Does it say something of the variable?
    pub fn is_about(&self, var: Var) -> bool {
        var == self.flag || self.up.iter().flat_map(|raised| raised.iter()).any(|(companion, _)| *companion == var)
    }

    /// A formula that has the same value in all states of the flag, with parts that have one replaced by it.
    pub fn settle(&self, pool: &TermPool, formula: Term) -> Term {
        if !pool.free_vars(formula).contains(&self.flag) {
            return formula;
        }
        let down = Substitution::from_iter([(self.flag, Term::FALSE)]);
        let value = pool.substitute(formula, &down);
        let fits = |raised: &Rc<Vec<(Var, Term)>>| {
            let up: Substitution = raised.iter().copied().chain([(self.flag, Term::TRUE)]).collect();
            pool.substitute(formula, &up) == value
        };
        if [Term::TRUE, Term::FALSE].contains(&value) && self.up.iter().all(fits) {
            return value;
        }
        match pool.node(formula) {
            braid_logic::Node::And(items) => pool.and(items.iter().map(|&item| self.settle(pool, item))),
            braid_logic::Node::Or(items) => pool.or(items.iter().map(|&item| self.settle(pool, item))),
            _ => formula,
        }
    }
}

impl Flags {
    pub fn of(
        pool: &TermPool,
        automata: &[Automaton],
        concurrency: &Concurrency,
        relations: &[Vec<Relation>],
    ) -> Flags {
        let mut behind: FxHashMap<Var, Vec<Behind>> = FxHashMap::default();
        for (flag, companions) in candidates(pool, relations) {
            if let Some(places) = places_behind(pool, automata, relations, (flag, &companions)) {
                behind.insert(flag, places);
            }
        }
        let apart = (!behind.is_empty()).then(|| {
            let locks = Locks::of(pool, automata, concurrency);
            (locks, ReadWriteLocks::of(pool, automata, concurrency, relations))
        });
        Flags { behind, apart }
    }

    /// What is known of the flags that an edge reads, when it happens. `there` are those who may be there at that moment; `tests`: does
    /// the edge happen as soon as it is chosen, so that what it tests is true before it?
    pub fn known(
        &self,
        (pool, concurrency): (&TermPool, &Concurrency),
        (thread, edge): (ThreadId, &Edge),
        relation: &Relation,
        there: &Threads,
        tests: bool,
    ) -> Vec<FlagState> {
        let mut read = relation.reads.iter().filter_map(|var| Some((*var, self.behind.get(var)?))).peekable();
        let Some((locks, read_write)) = self.apart.as_ref().filter(|_| read.peek().is_some()) else {
            return Vec::new();
        };
        let held = locks.held(thread, edge.source);
        let tested = locks.used(pool, relation).tests & locks.among(|var| !self.behind.contains_key(&var));
        let needed = if tests { held | tested } else { held };
        let meets = |behind: &&Behind| {
            let (other, location) = (behind.thread, behind.location);
            match other == thread {
                true => location == edge.source,
                false => {
                    there.contains(other)
                        && concurrency.at(other, location).contains(thread)
                        && needed & locks.held(other, location) == 0
                        && !read_write.exclude(pool, (thread, edge, relation), (other, location), tests)
                }
            }
        };
        read.filter_map(|(flag, places)| {
            let mut up: Vec<Rc<Vec<(Var, Term)>>> = Vec::new();
            for raised in places.iter().filter(meets).map(|behind| behind.raised.as_ref()) {
                let raised = raised?;
                if !up.contains(raised) {
                    up.push(raised.clone());
                }
            }
            Some(FlagState { flag, up })
        })
        .collect()
    }
}

/// The truth values that nobody sets to anything but true and false, with their companions.
fn candidates(pool: &TermPool, relations: &[Vec<Relation>]) -> Vec<(Var, Vec<Var>)> {
    let mut fits: FxHashMap<Var, bool> = FxHashMap::default();
    for (var, value) in relations.iter().flatten().flat_map(|relation| &relation.updates) {
        if matches!(pool.sort_kind(pool.var_sort(*var)), SortKind::Bool) {
            *fits.entry(*var).or_insert(true) &= [Term::TRUE, Term::FALSE].contains(value);
        }
    }
    let flags: FxHashSet<Var> = fits.into_iter().filter(|(_, fits)| *fits).map(|(var, _)| var).collect();
    // For each other variable the flags that all edges write that write it.
    let mut beside: FxHashMap<Var, Vec<Var>> = FxHashMap::default();
    for relation in relations.iter().flatten() {
        let written = |var: &Var| relation.writes.binary_search(var).is_ok();
        for var in relation.writes.iter().filter(|var| !flags.contains(var)) {
            match beside.get_mut(var) {
                Some(known) => known.retain(written),
                None => {
                    let raised = relation.writes.iter().filter(|var| flags.contains(var));
                    beside.insert(*var, raised.copied().collect());
                }
            }
        }
    }
    let mut found: FxHashMap<Var, Vec<Var>> = flags.iter().map(|&flag| (flag, Vec::new())).collect();
    for (var, flags) in beside {
        flags.iter().for_each(|flag| found.entry(*flag).or_default().push(var));
    }
    let mut found: Vec<(Var, Vec<Var>)> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// Where threads are behind a variable, if it is a flag.
fn places_behind(
    pool: &TermPool,
    automata: &[Automaton],
    relations: &[Vec<Relation>],
    (flag, companions): (Var, &[Var]),
) -> Option<Vec<Behind>> {
    let mut places = Vec::new();
    for (number, (automaton, relations)) in automata.iter().zip(relations).enumerate() {
        let thread = ThreadId(number as u32);
        let written = |edge: usize, var: Var| {
            let update = relations[edge].updates.iter().find(|(written, _)| *written == var);
            update.map(|(_, value)| *value)
        };
        let mut starts: FxHashMap<Raised, Vec<usize>> = FxHashMap::default();
        if thread == ThreadId::MAIN {
            starts.entry(None).or_default().push(automaton.entry.index());
        }
        for edge in (0..automaton.edges.len()).filter(|&edge| written(edge, flag) == Some(Term::TRUE)) {
            let closed = companions.iter().filter_map(|&var| {
                let value = written(edge, var)?;
                pool.free_vars(value).is_empty().then_some((var, value))
            });
            starts.entry(Some(Rc::new(closed.collect()))).or_default().push(automaton.edges[edge].target.index());
        }
        if starts.is_empty() {
            continue;
        }
        let next = targets(automaton, |edge| written(edge, flag) != Some(Term::FALSE));
        for (raised, first) in starts {
            let behind = reached(next.len(), first, |node| next[node].iter().copied());
            if behind[automaton.exit.index()] {
                return None;
            }
            for location in (0..behind.len()).filter(|&location| behind[location]) {
                places.push(Behind { thread, location: Location(location as u32), raised: raised.clone() });
            }
        }
    }
    Some(places)
}
