//! Which threads may be there while a thread is at a location: may-happen-in-parallel by forks and joins.
//!
//! `at(t, l)` holds every thread that may be started and not yet joined in a state with `t` at `l`. It is the least
//! solution of these rules, which follow what forks and joins do:
//!
//! * nobody is there at the entry of the first thread;
//! * along an edge of `t`, a fork of `c` adds `c` and all that `c` may ever start; a join of `c` takes away `c` and of what
//!   `c` may start all but those that may be there when `c` is at its exit;
//! * at the entry of `c` there is its parent `p`, all that is there for `p` behind the fork, and all that `p` may start from
//!   there on; but of what `c` may start itself, only what was there before.
//!
//! *Invariant*, by induction over executions: in a state with `t` at `l` and another thread `u` started at `k`, `u` is in
//! `at(t, l)`, and so is all that `u` may start from `k` on while `t` is there: everything if `t` started `u` (directly or
//! not), and otherwise everything but `t` and what `t` may start. A step of `t` keeps it: what a join of `c` takes away
//! was not there and is started by nobody who is, by the invariant for `c` at its exit. A step of another thread only
//! shrinks what it may start; what it does start was in the set before. A thread that starts finds what its parent
//! knew, and its parent.

use super::{Automaton, Edge};
use crate::cfa::{Location, Origin, ThreadId};

/// A set of threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Threads(Vec<bool>);

impl Threads {
    fn none(count: usize) -> Threads {
        Threads(vec![false; count])
    }

    pub fn contains(&self, thread: ThreadId) -> bool {
        self.0[thread.index()]
    }

    pub fn is_empty(&self) -> bool {
        !self.0.contains(&true)
    }

    pub fn iter(&self) -> impl Iterator<Item = ThreadId> + '_ {
        (0..self.0.len() as u32).map(ThreadId).filter(|&thread| self.contains(thread))
    }

    fn insert(&mut self, thread: ThreadId) -> bool {
        !std::mem::replace(&mut self.0[thread.index()], true)
    }

    fn remove(&mut self, thread: ThreadId) {
        self.0[thread.index()] = false;
    }

    /// Adds all of the other set; was anything new?
    fn extend(&mut self, other: &Threads) -> bool {
        let mut grew = false;
        for (here, there) in self.0.iter_mut().zip(&other.0) {
            grew |= *there && !*here;
            *here |= *there;
        }
        grew
    }
}

/// Who may be there, for every thread and location.
pub(super) struct Concurrency {
    at: Vec<Vec<Threads>>,
    /// All that a thread may start, directly or not.
    descendants: Vec<Threads>,
    exits: Vec<Location>,
}

impl Concurrency {
    pub fn of(automata: &[Automaton]) -> Concurrency {
        let count = automata.len();
        let mut concurrency = Concurrency {
            at: automata.iter().map(|automaton| vec![Threads::none(count); automaton.locations.len()]).collect(),
            descendants: descendants(automata),
            exits: automata.iter().map(|automaton| automaton.exit).collect(),
        };
        let futures: Vec<Vec<Threads>> =
            automata.iter().map(|automaton| futures(automaton, &concurrency.descendants)).collect();
        loop {
            let mut changed = false;
            for (number, automaton) in automata.iter().enumerate() {
                changed |= concurrency.pass(number, automaton, automata, &futures[number]);
            }
            if !changed {
                return concurrency;
            }
        }
    }

    /// Applies the rules once along all edges of a thread.
    fn pass(&mut self, number: usize, automaton: &Automaton, automata: &[Automaton], future: &[Threads]) -> bool {
        let (this, mut changed) = (ThreadId(number as u32), false);
        for edge in &automaton.edges {
            let before = self.during(this, edge);
            let mut after = before.clone();
            for &child in &edge.forks {
                after.insert(child);
                after.extend(&self.descendants[child.index()]);
            }
            after.remove(this);
            changed |= self.at[number][edge.target.index()].extend(&after);
            after.insert(this);
            after.extend(&future[edge.target.index()]);
            for &child in &edge.forks {
                let mut there = after.clone();
                there.remove(child);
                for own in self.descendants[child.index()].iter().filter(|&own| !before.contains(own)) {
                    there.remove(own);
                }
                let entry = automata[child.index()].entry;
                changed |= self.at[child.index()][entry.index()].extend(&there);
            }
        }
        changed
    }

    /// Who may be there while a thread is at a location.
    pub fn at(&self, thread: ThreadId, location: Location) -> &Threads {
        &self.at[thread.index()][location.index()]
    }

    /// Who may be there at the moment of an edge: those that it joins have ended, and those that it starts have not begun.
    pub fn during(&self, thread: ThreadId, edge: &Edge) -> Threads {
        let mut there = self.at(thread, edge.source).clone();
        for &child in &edge.joins {
            there.remove(child);
            let left = self.at(child, self.exits[child.index()]);
            for descendant in self.descendants[child.index()].iter() {
                if !left.contains(descendant) {
                    there.remove(descendant);
                }
            }
        }
        edge.forks.iter().for_each(|&child| there.remove(child));
        there
    }
}

/// All that each thread may start. Children stand behind their parents.
fn descendants(automata: &[Automaton]) -> Vec<Threads> {
    let mut all = vec![Threads::none(automata.len()); automata.len()];
    for (number, automaton) in automata.iter().enumerate().rev() {
        if let Origin::Branch { parent, .. } | Origin::Forked { parent } = automaton.origin {
            let own = all[number].clone();
            all[parent.index()].extend(&own);
            all[parent.index()].insert(ThreadId(number as u32));
        }
    }
    all
}

/// For each location, all that the thread may start from there on.
fn futures(automaton: &Automaton, descendants: &[Threads]) -> Vec<Threads> {
    let mut futures = vec![Threads::none(descendants.len()); automaton.locations.len()];
    loop {
        let mut changed = false;
        for edge in automaton.edges.iter().rev() {
            let mut future = futures[edge.target.index()].clone();
            for &child in &edge.forks {
                future.insert(child);
                future.extend(&descendants[child.index()]);
            }
            changed |= futures[edge.source.index()].extend(&future);
        }
        if !changed {
            return futures;
        }
    }
}
