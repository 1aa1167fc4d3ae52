//! Which state is expanded next: the oldest, or one that few preemptions led to, and of those the newest.
//!
//! Most bugs need few preemptions (a switch away from a thread that could go on), however long they are: a thread that starts
//! thousands of others is followed to its end at once. Numbers of preemptions take turns, because one preemption in a long execution gives
//! more states than can be visited, and two at its end may be all that a bug needs. The oldest state has its turn, too: a way may
//! go on for ever.

use super::arena::StateId;
use crate::deadlock::held::Locks;
use braid_program::State;
use braid_program::cfa::{Location, Program, ThreadId};
use std::collections::{BTreeMap, VecDeque};

/// So many numbers of preemptions have a turn of their own.
const LEVELS: usize = 4;

/// The order in which states are visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visits {
    /// Those first that the fewest steps lead to.
    Breadth,
    /// Those that no, one, two, … preemptions lead to, depth first, and the oldest, by turns.
    Switches,
    /// Those first in which most threads hold a lock and want another one: where a thread is about to take one, it is left alone.
    Locks,
}

/// The locations where a thread may hold a lock and want another one.
pub(super) struct Threatened(Vec<Vec<bool>>);

impl Threatened {
    pub fn of(program: &Program<'_>) -> Threatened {
        let locks = Locks::of(program);
        let of_thread = |id: ThreadId| {
            let locations = (0..program.thread(id).locations.len() as u32).map(Location);
            let wants = |location| program.thread(id).outgoing(location).iter().any(|&id| program.action(id).waits());
            locations.map(|location| !locks.held(id, location).is_empty() && wants(location)).collect()
        };
        Threatened(program.thread_ids().map(of_thread).collect())
    }

    /// How many threads are at such a location.
    pub fn count(&self, state: &State) -> u32 {
        let at = |thread: usize| state.locations.location(ThreadId(thread as u32));
        self.0.iter().enumerate().filter(|(thread, places)| places[at(*thread).index()]).count() as u32
    }
}

/// How a state was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reached {
    /// The thread that took the last step.
    pub by: ThreadId,
    pub preemptions: u32,
    pub depth: u32,
}

/// The states that were found and not expanded.
pub(super) struct Frontier {
    visits: Visits,
    reached: Vec<Reached>,
    /// By number; may hold expanded states.
    oldest: VecDeque<StateId>,
    /// Per number of preemptions, the newest last; may hold expanded states.
    newest: Vec<Vec<StateId>>,
    expanded: Vec<bool>,
    /// By how many threads are threatened, the newest last; may hold expanded states.
    threatened: BTreeMap<u32, Vec<StateId>>,
    /// Whose turn it is: the oldest, or the newest behind one preemption less than that.
    turn: usize,
}

impl Frontier {
    pub fn new(visits: Visits) -> Frontier {
        let (reached, oldest, newest, expanded, threatened) = Default::default();
        Frontier { visits, reached, oldest, newest, expanded, threatened, turn: 0 }
    }

    /// Takes note of the state with the next number, and of how many threads are threatened there.
    pub fn push(&mut self, state: StateId, reached: Reached, threatened: u32) {
        debug_assert_eq!(state.index(), self.reached.len());
        self.reached.push(reached);
        self.expanded.push(false);
        self.oldest.push_back(state);
        if self.visits == Visits::Locks {
            self.threatened.entry(threatened).or_default().push(state);
        }
        if self.visits == Visits::Switches {
            let level = reached.preemptions as usize;
            if self.newest.len() <= level {
                self.newest.resize(level + 1, Vec::new());
            }
            self.newest[level].push(state);
        }
    }

    /// The state to expand now.
    pub fn pop(&mut self) -> Option<StateId> {
        if self.visits == Visits::Locks {
            return self.pop_threatened();
        }
        self.turn = (self.turn + 1) % (1 + self.newest.len().min(LEVELS));
        loop {
            let new = match self.turn {
                0 => None,
                turn => self.newest[turn - 1..].iter_mut().find_map(Vec::pop),
            };
            let state = new.or_else(|| self.oldest.pop_front())?;
            if !std::mem::replace(&mut self.expanded[state.index()], true) {
                return Some(state);
            }
        }
    }

    fn pop_threatened(&mut self) -> Option<StateId> {
        let mut most = self.threatened.last_entry()?;
        let state = most.get_mut().pop();
        if most.get().is_empty() {
            most.remove();
        }
        state
    }

    pub fn reached(&self, state: StateId) -> Reached {
        self.reached[state.index()]
    }
}
