//! The visited states, each stored once, in the order they were found, with the step that found them.

use braid_logic::{Open, Value};
use braid_program::State;
use braid_program::cfa::ActionId;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// The number of a state in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StateId(u32);

impl StateId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A step from one state to another.
#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub from: StateId,
    pub action: ActionId,
    /// None: nothing had to be chosen.
    pub chosen: Option<Box<Chosen>>,
}

/// What was chosen for a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Chosen {
    /// Values for inputs that were open.
    pub settled: Vec<(Open, Value)>,
    /// Values for the action's own havocs, in order; those that are missing stay open.
    pub choices: Vec<Option<Value>>,
}

#[derive(Default)]
pub(super) struct Arena {
    states: Vec<State>,
    /// The step that first led to each state; none for the initial one.
    found_by: Vec<Option<Transition>>,
    /// Numbers of states, by the hash of the state.
    numbers: HashTable<u32>,
}

/// Where a state is, or belongs.
pub(super) enum Place {
    Known(StateId),
    Vacant(Vacancy),
}

/// The place of a state that is not in the arena.
pub(super) struct Vacancy {
    hash: u64,
}

fn hash(state: &State) -> u64 {
    FxBuildHasher.hash_one(state)
}

impl Arena {
    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }

    /// Where a state is, or where to put it.
    pub fn place(&self, state: &State) -> Place {
        let hash = hash(state);
        let known = self.numbers.find(hash, |&id| self.states[id as usize] == *state);
        known.map_or(Place::Vacant(Vacancy { hash }), |&id| Place::Known(StateId(id)))
    }

    /// Adds a state that is not there yet, where it belongs.
    pub fn add(&mut self, state: State, vacancy: Vacancy, found_by: Option<Transition>) -> StateId {
        let id = u32::try_from(self.states.len()).expect("the state budget fits into 32 bits");
        let states = &mut self.states;
        self.numbers.insert_unique(vacancy.hash, id, |&other| hash(&states[other as usize]));
        states.push(state);
        self.found_by.push(found_by);
        StateId(id)
    }

    /// The steps that lead from the initial state to this one.
    pub fn path(&self, to: StateId) -> Vec<&Transition> {
        let mut path = Vec::new();
        let mut at = to;
        while let Some(transition) = &self.found_by[at.index()] {
            path.push(transition);
            at = transition.from;
        }
        path.reverse();
        path
    }
}
