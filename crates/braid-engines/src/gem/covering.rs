//! States of the reduction by what they cover: a state covers another with the same locations and context that knows at
//! least as much and sleeps at least as much, because every way from the other is a way from it.

use super::check::Place;
use braid_logic::BitSet;
use braid_program::cfa::ProductState;
use braid_proof::{FloydHoareAutomaton, Known};
use braid_reduction::Context;
use rustc_hash::FxHashMap;

/// States, each with a label.
pub(super) struct Covering<L> {
    states: FxHashMap<(ProductState, Context), Vec<(Known, BitSet, L)>>,
}

impl<L> Default for Covering<L> {
    fn default() -> Self {
        Covering { states: FxHashMap::default() }
    }
}

impl<L: Copy> Covering<L> {
    /// The label of a state that covers the given one.
    pub fn covers(&self, proof: &FloydHoareAutomaton, place: &Place, known: Known) -> Option<L> {
        let mut same = self.at(place).iter();
        same.find(|(weaker, slept, _)| proof.is_stronger(known, *weaker) && slept.is_subset(&place.asleep))
            .map(|(.., label)| *label)
    }

    /// The label of the state itself.
    pub fn same(&self, place: &Place, known: Known) -> Option<L> {
        let mut same = self.at(place).iter();
        same.find(|(other, slept, _)| *other == known && *slept == place.asleep).map(|(.., label)| *label)
    }

    /// Takes up a state.
    pub fn insert(&mut self, place: &Place, known: Known, label: L) {
        let same = self.states.entry((place.locations.clone(), place.context)).or_default();
        same.push((known, place.asleep.clone(), label));
    }

    fn at(&self, place: &Place) -> &[(Known, BitSet, L)] {
        self.states.get(&(place.locations.clone(), place.context)).map_or(&[], Vec::as_slice)
    }
}
