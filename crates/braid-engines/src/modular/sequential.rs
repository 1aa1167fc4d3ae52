//! The sequential programs (sections 4.1 and 5): a thread with `env_move`, and for queries with `try_start`.
//!
//! Instead of a variable `start` there are two copies of the thread: *early*, where all others may do anything, and *late*, behind the
//! activation, where only the environment moves. A program speaks only of variables that the thread or a condition mentions, and
//! `env_move` is refined only by what is known of those: the rest would change nothing.

use super::concurrent::{Concurrent, Vars};
use super::outline::Outline;
use braid_logic::Term;
use braid_program::cfa::{ActionId, Location, Program, Relation, ThreadId};
use braid_reduction::Target;

/// No computation of the environment leads from `alpha` to `beta`. If `alpha` is true, `beta` holds in no reachable state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Fact {
    pub alpha: Term,
    pub beta: Term,
}

/// Where the condition holds, the actions lead to what the program is asked for (Definition 4).
#[derive(Clone, Debug)]
pub(super) struct Promise {
    /// Where the main thread is.
    pub location: Location,
    pub condition: Term,
    pub trace: Vec<ActionId>,
}

/// From a location where no promise holds, the environment does not get to `beta`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OutOfReach {
    pub location: Location,
    pub beta: Term,
}

/// What a sequential program is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Question {
    /// Does the thread, from the start, meet the target?
    Error(Target),
    /// Is there a computation of the thread and its environment from a state of `alpha` to one of `beta`?
    Reach { alpha: Term, beta: Term },
}

/// Where an action of a sequential program comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// The thread, or the first thread in the prefix.
    Actions(Vec<ActionId>),
    /// The environment moves, the main thread being here.
    EnvMove(Location),
    /// Others move, before the activation.
    Others,
    Activation,
    /// `beta` holds.
    Met,
    /// A promise at this location holds.
    Promise(Location),
    /// Others have moved the thread to this location.
    Moved(Location),
}

/// A sequential program, and for each of its actions what it is.
pub(super) struct Sequential<'p> {
    pub program: Program<'p>,
    pub sources: Vec<Source>,
    /// What may be a proof.
    pub outline: Outline,
    /// The copies of old values.
    pub copies: Vars,
    /// The variables that it speaks of, other than in the prefix.
    pub mentioned: Vars,
    /// The variables that others may change before the activation.
    pub moved_by_others: Vars,
    /// Does the environment access nothing that the other threads change?
    pub is_autonomous: bool,
}

/// The parts of a sequential program.
pub(super) struct Parts<'s, 'a, 'p> {
    pub concurrent: &'s Concurrent<'a, 'p>,
    pub thread: ThreadId,
    pub environment: &'s [ThreadId],
    /// All threads but this one.
    pub others: &'s [ThreadId],
    pub question: Question,
    pub facts: &'s [Fact],
    /// What holds in every reachable state.
    pub always: &'s [Term],
    pub promises: &'s [Promise],
    pub out_of_reach: &'s [OutOfReach],
}

impl Sequential<'_> {
    /// An action of the program as a relation.
    pub fn relation(&self, action: ActionId) -> &Relation {
        self.program.action(action).relation(self.program.pool)
    }
}
