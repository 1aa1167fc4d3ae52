//! Product states: where every thread is. Successors are computed, never stored.

use super::{Action, ActionId, Location, Program, ThreadId, Violation};

/// The location of every thread.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ProductState(Box<[Location]>);

/// Why a product state is accepting: an execution that gets there violates the claim (or leaves the bounds).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accepted {
    /// The first thread is at its end, which the program claims to be impossible.
    Completion,
    /// Some threads wait for ever. Values decide this, so it is the interpreter that says it.
    Deadlock,
    /// Threads go round in circles for ever. The interpreter says this, too.
    Livelock,
    /// A thread is at an error location.
    Violation(ThreadId, Location, Violation),
}

impl Accepted {
    /// Is this only a bound of the analysis that is reached?
    pub fn is_bound(self) -> bool {
        matches!(self, Accepted::Violation(_, _, violation) if !violation.is_error())
    }
}

impl ProductState {
    /// With each thread at its location.
    pub fn at(locations: &[Location]) -> ProductState {
        ProductState(locations.into())
    }

    /// The location of each thread.
    pub fn locations(&self) -> &[Location] {
        &self.0
    }

    /// Where a thread is.
    #[inline]
    pub fn location(&self, thread: ThreadId) -> Location {
        self.0[thread.index()]
    }

    /// The state with each thread's location given to the thread at its place.
    pub fn permuted(&self, place_of: impl Fn(ThreadId) -> ThreadId) -> ProductState {
        let mut image = self.clone();
        for (thread, &location) in self.0.iter().enumerate() {
            image.0[place_of(ThreadId(thread as u32)).index()] = location;
        }
        image
    }
}

impl Program<'_> {
    /// The first thread at its entry, all others not started.
    pub fn initial_state(&self) -> ProductState {
        let mut locations = vec![Location::NOT_STARTED; self.threads.len()];
        locations[0] = self.thread(ThreadId::MAIN).entry;
        ProductState(locations.into_boxed_slice())
    }

    /// Can the action be taken, as far as locations say?
    #[inline]
    pub fn is_enabled(&self, state: &ProductState, action: &Action) -> bool {
        state.location(action.thread) == action.source
            && action.joins.iter().all(|&child| state.location(child) == self.thread(child).exit)
            && action.forks.iter().all(|&child| state.location(child) == Location::NOT_STARTED)
    }

    /// The actions that can be taken, thread by thread.
    pub fn enabled<'a>(&'a self, state: &'a ProductState) -> impl Iterator<Item = ActionId> + 'a {
        self.threads.iter().zip(&state.0).flat_map(|(thread, &location)| thread.outgoing(location)).copied().filter(
            |&id| {
                let action = self.action(id);
                (action.joins.is_empty() && action.forks.is_empty()) || self.is_enabled(state, action)
            },
        )
    }

    /// Where an enabled action leads.
    pub fn successor(&self, state: &ProductState, action: ActionId) -> ProductState {
        let action = self.action(action);
        debug_assert!(self.is_enabled(state, action));
        let mut next = state.clone();
        for &child in &action.joins {
            next.0[child.index()] = Location::NOT_STARTED;
        }
        for &child in &action.forks {
            next.0[child.index()] = self.thread(child).entry;
        }
        next.0[action.thread.index()] = action.target;
        next
    }

    /// Why the state is accepting, errors of the program before bounds of the analysis; none if it is not.
    pub fn accepted(&self, state: &ProductState) -> Option<Accepted> {
        let mut bound = None;
        for (id, (thread, &location)) in self.thread_ids().zip(self.threads.iter().zip(&state.0)) {
            if let Some(violation) = thread.locations[location.index()].violation {
                let accepted = Accepted::Violation(id, location, violation);
                if violation.is_error() {
                    return Some(accepted);
                }
                bound = bound.or(Some(accepted));
            }
        }
        if self.completion_is_violation && state.0[0] == self.thread(ThreadId::MAIN).exit {
            return Some(Accepted::Completion);
        }
        bound
    }
}
