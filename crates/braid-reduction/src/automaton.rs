//! Automata over actions, whose states are made when they are asked for.

use braid_program::cfa::{Accepted, ActionId, Location, ProductState, Program, ThreadId};
use std::hash::Hash;

/// A deterministic automaton over actions, given by its functions.
pub trait Automaton {
    /// A state.
    type State: Clone + Eq + Hash;

    /// The initial state.
    fn initial(&self) -> Self::State;

    /// The actions that leave a state, in no particular order.
    fn enabled(&self, state: &Self::State) -> Vec<ActionId>;

    /// Where an enabled action leads.
    fn successor(&self, state: &Self::State, action: ActionId) -> Self::State;

    /// Does a word that ends here belong to the language?
    fn is_accepting(&self, state: &Self::State) -> bool;
}

/// What an analysis looks for: the accepting states of the interleaving product (design section 4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// The first thread at its exit.
    Completion,
    /// One thread at one of its error locations, whatever the others do.
    ErrorOf(ThreadId),
}

impl Target {
    /// Everything that must be looked for in a program, one after the other (paper 1, footnote 4).
    pub fn all(program: &Program<'_>) -> Vec<Target> {
        let completion = program.completion_is_violation.then_some(Target::Completion);
        let failing = program.thread_ids().filter(|&id| {
            let thread = program.thread(id);
            thread.locations.iter().any(|location| location.violation.is_some())
        });
        completion.into_iter().chain(failing.map(Target::ErrorOf)).collect()
    }

    /// Is the target met in a state?
    pub fn is_met(self, program: &Program<'_>, state: &ProductState) -> bool {
        match self {
            Target::Completion => state.location(ThreadId::MAIN) == program.thread(ThreadId::MAIN).exit,
            Target::ErrorOf(thread) => {
                let location: Location = state.location(thread);
                program.thread(thread).locations[location.index()].violation.is_some()
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
            Target::ErrorOf(thread) => {
                let location = state.location(thread);
                let violation = program.thread(thread).locations[location.index()].violation?;
                Accepted::Violation(thread, location, violation)
            }
        })
    }
}
