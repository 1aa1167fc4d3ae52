//! States of the reduction by what they cover: a state covers another with the same locations and context that knows at
//! least as much and sleeps at least as much, because every way from the other is a way from it. Threads that can be exchanged may
//! be exchanged first, with what is known of each of them.

use crate::like_threads::LikeThreads;
use braid_logic::{BitSet, TermPool};
use braid_program::cfa::ProductState;
use braid_proof::{FloydHoareAutomaton, Known};
use braid_reduction::{Context, ReducedState};
use rustc_hash::FxHashMap;

/// A state as it is compared: with exchangeable threads sorted.
pub(super) struct Form {
    at: (ProductState, Context),
    asleep: BitSet,
    known: Known,
}

impl Form {
    pub fn of(
        like: &mut LikeThreads,
        pool: &TermPool,
        proof: &mut FloydHoareAutomaton,
        place: &ReducedState,
        known: Known,
    ) -> Form {
        let ReducedState { locations, context, asleep } = place;
        let sorted = like.sorted(pool, proof, (locations, asleep, known));
        let (locations, asleep, known) = sorted.unwrap_or_else(|| (locations.clone(), asleep.clone(), known));
        Form { at: (locations, *context), asleep, known }
    }
}

/// What is known and what sleeps in a state, and its label.
type Entry<L> = (Known, BitSet, L);

/// States, each with a label.
#[derive(Default)]
pub(super) struct Covering<L> {
    states: FxHashMap<(ProductState, Context), Vec<Entry<L>>>,
}

impl<L: Copy> Covering<L> {
    /// The label of a state that covers the given one.
    pub fn covers(&self, proof: &FloydHoareAutomaton, form: &Form) -> Option<L> {
        let mut same = self.at(form).iter();
        same.find(|(weaker, slept, _)| proof.is_stronger(form.known, *weaker) && slept.is_subset(&form.asleep))
            .map(|(.., label)| *label)
    }

    /// The label of the state itself.
    pub fn same(&self, form: &Form) -> Option<L> {
        let mut same = self.at(form).iter();
        same.find(|(other, slept, _)| *other == form.known && *slept == form.asleep).map(|(.., label)| *label)
    }

    /// Takes up a state.
    pub fn insert(&mut self, form: Form, label: L) {
        self.states.entry(form.at).or_default().push((form.known, form.asleep, label));
    }

    fn at(&self, form: &Form) -> &[Entry<L>] {
        self.states.get(&form.at).map_or(&[], Vec::as_slice)
    }
}
