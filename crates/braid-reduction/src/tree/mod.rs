//! The looping tree automaton of all sleep set reductions (paper 4, "Reductions for Automated Hypersafety Verification").
//!
//! A reduction keeps of equivalent words the one that comes first in an order of its letters, chosen anew at each node of the
//! tree of words. The looping tree automaton of Theorem 6.6 accepts all of them; its state is a state of the program and
//! a sleep set. Here it is intersected with the sets of words that are covered (Lemma 5.4), and asked for emptiness: a state is
//! *inactive* if every choice of orders leaves a word that is not covered, and the reductions are refuted if the initial
//! state is inactive. What is covered by what is the caller's affair: [`Uncovered`] gives the words that are not.
//!
//! A larger sleep set leaves fewer words, so inactive states are closed downwards. Hence the best order at a node is found
//! greedily ([`Choice`]), and it is enough to keep the largest inactive sleep sets ([`antichain`]).

mod antichain;
mod choice;
mod counterexamples;
mod plain;
mod slots;

pub use antichain::{Chosen, antichain, chosen};
pub use choice::{Choice, by_all_orders};
pub use counterexamples::{Refutation, Selection, Step, Words};
pub use plain::plain;
pub use slots::Slots;

/// A node of the automaton of uncovered words, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// As an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of a node when it is first looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opened {
    /// Does a word that ends here belong to the program, uncovered?
    pub uncovered: bool,
    /// The slots of the letters that leave it, all different. A letter that commutes with another has the same slot behind it.
    pub slots: Vec<u16>,
    /// Nodes of the same kind have the same letters.
    pub kind: u32,
}

/// The words of a program that are not covered, as a deterministic automaton made on demand. The program must be closed under
/// swapping letters that commute.
pub trait Uncovered {
    /// Why a search is given up.
    type Stop;
    /// What the order of a search remembers of the way to a node.
    type Turn: Copy + Default;

    /// The node of the empty word; none if all words are covered.
    fn initial(&mut self) -> Result<Option<NodeId>, Self::Stop>;

    /// Looks at a node. Asked once for each node.
    fn open(&mut self, node: NodeId) -> Result<Opened, Self::Stop>;

    /// Where a letter leads, by its place among the letters of the node; none if all words that go on so are covered.
    fn step(&mut self, node: NodeId, letter: usize) -> Result<Option<NodeId>, Self::Stop>;

    /// May the two letters be swapped here? Symmetric.
    fn commute(&mut self, node: NodeId, first: usize, second: usize) -> Result<bool, Self::Stop>;

    /// Is every word that is uncovered from the second node uncovered from the first, which is of the same kind?
    fn is_weaker(&self, node: NodeId, other: NodeId) -> bool;

    /// The letters of a node, those first that a search should try first.
    fn preferred(&mut self, node: NodeId, turn: Self::Turn) -> Vec<usize>;

    /// What the order remembers behind a letter.
    fn next_turn(&self, turn: Self::Turn, node: NodeId, letter: usize) -> Self::Turn;

    /// A search has visited so many states.
    fn visited(&mut self, states: usize) -> Result<(), Self::Stop>;
}

/// What came of a check.
pub struct Checked {
    /// How every reduction is refuted; none if one of them is covered.
    pub refutation: Option<Refutation>,
    /// States of the tree automaton that were visited.
    pub states: usize,
}
