//! Sleep sets (paper 1, Definition 5.1): of all equivalent words, only the most preferred one is left.
//!
//! A state is followed by the set of actions that need not be taken there, since a preferred word takes them earlier.
//! With unconditional commutativity the automaton accepts exactly one word of each class (Theorem 5.3).

use braid_logic::BitSet;
use braid_program::cfa::ActionId;

/// What sleeps behind one of the enabled actions, which stand in order of preference.
pub(crate) fn asleep_behind(
    taken: ActionId,
    enabled: &[ActionId],
    asleep: &BitSet,
    mut commutes: impl FnMut(ActionId, ActionId) -> bool,
) -> BitSet {
    let preferred = enabled.iter().take_while(|&&other| other != taken);
    let others = enabled.iter().skip_while(|&&other| other != taken).skip(1);
    let candidates = preferred.chain(others.filter(|other| asleep.contains(other.index())));
    candidates.filter(|&&other| commutes(taken, other)).map(|other| other.index()).collect()
}
