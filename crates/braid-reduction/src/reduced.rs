//! The reduced program (paper 1, section 6.2): the interleavings that are left of a program, as an automaton made on demand. A state is
//! where the threads are, what the order remembers, and what sleeps; membranes and sleep sets say which actions leave it.
//!
//! Whoever walks through it says which actions commute: always, for membranes, and where it stands, for sleep sets (section 7.2). With one unconditional relation for
//! both, exactly the most preferred word of each class is accepted (Theorems 5.3 and 6.6).
//!
//! *Invariant*: nothing here depends on how states are compared or what is known of them: coverage, proofs and symmetry are the caller's.

use crate::order::{Context, PreferenceOrder};
use crate::persistent::PersistentSets;
use crate::sleep::asleep_behind;
use crate::target::Target;
use braid_logic::BitSet;
use braid_program::cfa::{Accepted, ActionId, ProductState, Program};

/// What of the reduction is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// All interleavings.
    None,
    /// Sleep sets: the most preferred interleaving of each class.
    Sleep,
    /// Persistent sets: fewer states, not minimal.
    Persistent,
    /// Both: minimal, with fewer states.
    Both,
}

/// The automaton. See the module's description.
pub struct Reduced<'a, 'p> {
    program: &'a Program<'p>,
    target: Target,
    order: &'a PreferenceOrder,
    reduction: Reduction,
    persistent: PersistentSets,
}

/// A state of the reduced program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ReducedState {
    /// Where the threads are.
    pub locations: ProductState,
    /// What the order remembers.
    pub context: Context,
    /// The actions that are not taken here.
    pub asleep: BitSet,
}

/// The actions that leave a state.
pub struct Leaving {
    /// Those that leave it in the program, the most preferred first.
    enabled: Vec<ActionId>,
    /// Those of them that leave it in the reduced program, in the same order.
    explored: Vec<ActionId>,
}

impl Leaving {
    /// Those that leave it in the reduced program, the most preferred first.
    pub fn explored(&self) -> &[ActionId] {
        &self.explored
    }
}

impl<'a, 'p> Reduced<'a, 'p> {
    /// The reduction of the interleavings that meet the target.
    pub fn new(program: &'a Program<'p>, target: Target, order: &'a PreferenceOrder, reduction: Reduction) -> Self {
        Reduced { program, target, order, reduction, persistent: PersistentSets::new(target) }
    }

    /// The state at the start.
    pub fn initial(&self) -> ReducedState {
        ReducedState { locations: self.program.initial_state(), context: self.order.initial(), asleep: BitSet::new() }
    }

    /// What the state stands for, if it meets the target.
    pub fn accepted(&self, place: &ReducedState) -> Option<Accepted> {
        self.target.accepted(self.program, &place.locations)
    }

    /// What leaves a state. `always` says whether two actions commute in every state.
    pub fn leaving(&mut self, place: &ReducedState, always: impl FnMut(ActionId, ActionId) -> bool) -> Leaving {
        let ReducedState { locations, context, asleep } = place;
        let mut enabled: Vec<ActionId> = self.program.enabled(locations).collect();
        enabled.sort_by_key(|&action| self.order.rank(*context, locations, self.program, action));
        // Behind an accepted word, every longer one is accepted: none may be lost.
        let prunes = matches!(self.reduction, Reduction::Persistent | Reduction::Both);
        let mut explored = if prunes && !self.target.is_met(self.program, locations) {
            self.persistent.membrane(always, self.program, locations, &enabled)
        } else {
            enabled.clone()
        };
        explored.retain(|action| !asleep.contains(action.index()));
        Leaving { enabled, explored }
    }

    /// Where an action leads that is explored. `here` says whether two actions commute in the state that it leaves.
    pub fn successor(
        &self,
        place: &ReducedState,
        leaving: &Leaving,
        action: ActionId,
        here: impl FnMut(ActionId, ActionId) -> bool,
    ) -> ReducedState {
        let asleep = match self.reduction {
            Reduction::Sleep | Reduction::Both => asleep_behind(action, &leaving.enabled, &place.asleep, here),
            Reduction::None | Reduction::Persistent => BitSet::new(),
        };
        let locations = self.program.successor(&place.locations, action);
        ReducedState { locations, context: self.order.next(place.context, self.program, action), asleep }
    }
}
