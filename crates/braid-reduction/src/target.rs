//! What an analysis looks for.

use braid_program::cfa::{Accepted, Location, ProductState, Program, ThreadId, Violation};

/// The accepting states of the interleaving product: what no execution may reach, or where a postcondition must hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// The first thread at its exit.
    Completion,
    /// One thread at one of its error locations, whatever the others do.
    ErrorOf(ThreadId),
    /// One thread where a bound of the analysis does not suffice, whatever the others do.
    BoundOf(ThreadId),
}

impl Target {
    /// Everything that must be looked for in a program, one after the other (paper 1, footnote 4). Bounds come last: they are
    /// easily reached, and an error within them is worth more.
    pub fn all(program: &Program<'_>) -> Vec<Target> {
        let completion = program.completion_is_violation.then_some(Target::Completion);
        let with = |errors: bool| {
            program.thread_ids().filter(move |&id| {
                let mut violations = program.thread(id).locations.iter().filter_map(|location| location.violation);
                violations.any(|violation| violation.is_error() == errors)
            })
        };
        let errors = with(true).map(Target::ErrorOf);
        completion.into_iter().chain(errors).chain(with(false).map(Target::BoundOf)).collect()
    }

    /// The thread that the target is about, if it is about one.
    pub fn thread(self) -> Option<ThreadId> {
        match self {
            Target::Completion => None,
            Target::ErrorOf(thread) | Target::BoundOf(thread) => Some(thread),
        }
    }

    /// Is the target met where its thread, or else the first one, is at a location?
    pub fn is_at(self, program: &Program<'_>, location: Location) -> bool {
        let thread = program.thread(self.thread().unwrap_or(ThreadId::MAIN));
        let violation = thread.locations[location.index()].violation;
        match self {
            Target::Completion => location == thread.exit,
            Target::ErrorOf(_) => violation.is_some_and(Violation::is_error),
            Target::BoundOf(_) => violation.is_some_and(|violation| !violation.is_error()),
        }
    }

    /// Is the target met in a state?
    pub fn is_met(self, program: &Program<'_>, state: &ProductState) -> bool {
        self.is_at(program, state.location(self.thread().unwrap_or(ThreadId::MAIN)))
    }

    /// What the state where the target is met stands for.
    pub fn accepted(self, program: &Program<'_>, state: &ProductState) -> Option<Accepted> {
        let violated = |thread: ThreadId| {
            let location = state.location(thread);
            Some(Accepted::Violation(thread, location, program.thread(thread).locations[location.index()].violation?))
        };
        self.is_met(program, state).then(|| self.thread().map_or(Some(Accepted::Completion), violated)).flatten()
    }
}
