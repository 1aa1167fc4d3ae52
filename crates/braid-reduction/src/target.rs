//! What an analysis looks for.

use braid_program::cfa::{Accepted, Location, ProductState, Program, ThreadId};

/// The accepting states of the interleaving product (design section 4).
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

    /// Is the target met in a state?
    pub fn is_met(self, program: &Program<'_>, state: &ProductState) -> bool {
        match self {
            Target::Completion => state.location(ThreadId::MAIN) == program.thread(ThreadId::MAIN).exit,
            Target::ErrorOf(thread) | Target::BoundOf(thread) => {
                let location: Location = state.location(thread);
                let violation = program.thread(thread).locations[location.index()].violation;
                violation.is_some_and(|violation| violation.is_error() == matches!(self, Target::ErrorOf(_)))
            }
        }
    }

    /// What the state where the target is met stands for.
    pub fn accepted(self, program: &Program<'_>, state: &ProductState) -> Option<Accepted> {
        if !self.is_met(program, state) {
            return None;
        }
        Some(match self {
            Target::Completion => Accepted::Completion,
            Target::ErrorOf(thread) | Target::BoundOf(thread) => {
                let location = state.location(thread);
                let violation = program.thread(thread).locations[location.index()].violation?;
                Accepted::Violation(thread, location, violation)
            }
        })
    }
}
