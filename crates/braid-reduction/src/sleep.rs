//! Sleep sets (paper 1, Definition 5.1): of all equivalent words, only the most preferred one is left.
//!
//! A state is followed by the set of actions that need not be taken there, since a preferred word takes them earlier.
//! With unconditional commutativity the automaton accepts exactly one word of each class (Theorem 5.3).

use crate::automaton::Automaton;
use braid_logic::BitSet;
use braid_program::cfa::ActionId;

/// The transition function on sleep sets.
pub struct SleepSets;

impl SleepSets {
    /// The sleep set behind the action at `taken` of the enabled actions, which stand in order of preference.
    pub fn next(
        enabled: &[ActionId],
        taken: usize,
        asleep: &BitSet,
        mut commutes: impl FnMut(ActionId, ActionId) -> bool,
    ) -> BitSet {
        let candidates = enabled.iter().enumerate();
        let candidates = candidates.filter(|(place, other)| *place < taken || asleep.contains(other.index()));
        candidates
            .filter(|(place, other)| *place != taken && commutes(enabled[taken], **other))
            .map(|(_, other)| other.index())
            .collect()
    }
}

/// The sleep set automaton of another automaton.
pub struct SleepAutomaton<'a, A, Rank, Commutes> {
    automaton: &'a A,
    rank: Rank,
    commutes: Commutes,
}

/// A state with its sleep set.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SleepState<S> {
    /// The state of the automaton below.
    pub state: S,
    /// The actions that are not taken here.
    pub asleep: BitSet,
}

impl<'a, A, K, Rank, Commutes> SleepAutomaton<'a, A, Rank, Commutes>
where
    A: Automaton,
    K: Ord,
    Rank: Fn(&A::State, ActionId) -> K,
    Commutes: Fn(ActionId, ActionId) -> bool,
{
    /// The reduction of an automaton by an order (smaller ranks are preferred) and a symmetric commutativity relation.
    pub fn new(automaton: &'a A, rank: Rank, commutes: Commutes) -> Self {
        SleepAutomaton { automaton, rank, commutes }
    }

    fn by_preference(&self, state: &A::State) -> Vec<ActionId> {
        let mut enabled = self.automaton.enabled(state);
        enabled.sort_by_key(|&action| (self.rank)(state, action));
        enabled
    }
}

impl<A, K, Rank, Commutes> Automaton for SleepAutomaton<'_, A, Rank, Commutes>
where
    A: Automaton,
    K: Ord,
    Rank: Fn(&A::State, ActionId) -> K,
    Commutes: Fn(ActionId, ActionId) -> bool,
{
    type State = SleepState<A::State>;

    fn initial(&self) -> Self::State {
        SleepState { state: self.automaton.initial(), asleep: BitSet::new() }
    }

    fn enabled(&self, state: &Self::State) -> Vec<ActionId> {
        self.by_preference(&state.state).into_iter().filter(|&action| !state.asleep.contains(action.index())).collect()
    }

    fn successor(&self, state: &Self::State, action: ActionId) -> Self::State {
        let enabled = self.by_preference(&state.state);
        let taken = enabled.iter().position(|&other| other == action).expect("only enabled actions are taken");
        let asleep = SleepSets::next(&enabled, taken, &state.asleep, &self.commutes);
        SleepState { state: self.automaton.successor(&state.state, action), asleep }
    }

    fn is_accepting(&self, state: &Self::State) -> bool {
        self.automaton.is_accepting(&state.state)
    }
}
