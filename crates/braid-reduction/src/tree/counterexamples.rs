//! Counterexamples out of a refutation (paper 4, Theorem 5.5): the proof that the initial state is inactive is a tree, and its
//! branches are words of which every reduction holds one, all uncovered. Parts of the tree that are alike are one.

use super::NodeId;
use std::marker::PhantomData;

/// Why no reduction is covered. Not a tree but a graph without cycles: parts are shared.
#[derive(Clone, Debug, Default)]
pub struct Refutation {
    /// Each step leads to a part with a smaller number.
    parts: Vec<Part>,
    /// The way to the root, if only this part of the tree is known.
    prefix: Vec<Step>,
    root: u32,
}

#[derive(Clone, Debug)]
struct Part {
    node: NodeId,
    /// Letters of the node and the parts behind them; none where an uncovered word ends.
    steps: Vec<(u32, u32)>,
}

/// A letter of a word: the node that it leaves, and its place there.
pub type Step = (NodeId, u32);

/// Which words are taken first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// From the first word on.
    Leftmost,
    /// From the middle, in both directions.
    Middle,
}

impl Refutation {
    pub(super) fn add(&mut self, node: NodeId, steps: Vec<(u32, u32)>) -> u32 {
        self.parts.push(Part { node, steps });
        self.parts.len() as u32 - 1
    }

    pub(super) fn rooted(self, prefix: Vec<Step>, root: u32) -> Refutation {
        Refutation { prefix, root, ..self }
    }

    /// Does every reduction hold one of the words?
    pub fn is_complete(&self) -> bool {
        self.prefix.is_empty()
    }

    /// The words of the refutation, all different. At each node the letters are taken in the order of their `rank`, which may
    /// depend on what `turn` remembers of the way there.
    pub fn words<T, K, R, N>(&self, selection: Selection, rank: R, turn: N) -> Words<'_, T, K, R, N>
    where
        T: Copy + Default,
        K: Ord,
        R: Fn(NodeId, T, u32) -> K,
        N: Fn(T, NodeId, u32) -> T,
    {
        let mut counts: Vec<u128> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let count = part.steps.iter().fold(0u128, |sum, &(_, next)| sum.saturating_add(counts[next as usize]));
            counts.push(count.max(1));
        }
        let total = counts[self.root as usize];
        let (below, above) = match selection {
            Selection::Leftmost => (0, 0),
            Selection::Middle => (total / 2, total / 2),
        };
        Words { refutation: self, counts, below, above, total, up: true, rank, turn, remembered: PhantomData }
    }
}

/// The words of a refutation, one after the other.
pub struct Words<'a, T, K, R, N> {
    refutation: &'a Refutation,
    /// How many words there are behind each part.
    counts: Vec<u128>,
    /// Words up to `below` and from `above` on are still to come.
    below: u128,
    above: u128,
    total: u128,
    up: bool,
    rank: R,
    turn: N,
    remembered: PhantomData<(T, K)>,
}

impl<T, K, R, N> Words<'_, T, K, R, N>
where
    T: Copy + Default,
    K: Ord,
    R: Fn(NodeId, T, u32) -> K,
    N: Fn(T, NodeId, u32) -> T,
{
    /// How many words there are.
    pub fn total(&self) -> u128 {
        self.total
    }

    /// The word with so many before it.
    fn word(&self, mut place: u128) -> Vec<Step> {
        let mut word = self.refutation.prefix.clone();
        let mut turn = word.iter().fold(T::default(), |turn, &(node, letter)| (self.turn)(turn, node, letter));
        let mut part = &self.refutation.parts[self.refutation.root as usize];
        while !part.steps.is_empty() {
            let mut steps = part.steps.clone();
            steps.sort_by_key(|&(letter, _)| (self.rank)(part.node, turn, letter));
            let mut taken = steps[steps.len() - 1];
            for step in steps {
                let count = self.counts[step.1 as usize];
                if place < count {
                    taken = step;
                    break;
                }
                place -= count;
            }
            word.push((part.node, taken.0));
            turn = (self.turn)(turn, part.node, taken.0);
            part = &self.refutation.parts[taken.1 as usize];
        }
        word
    }
}

impl<T, K, R, N> Iterator for Words<'_, T, K, R, N>
where
    T: Copy + Default,
    K: Ord,
    R: Fn(NodeId, T, u32) -> K,
    N: Fn(T, NodeId, u32) -> T,
{
    type Item = Vec<Step>;

    fn next(&mut self) -> Option<Vec<Step>> {
        let place = match (self.above < self.total, self.below > 0) {
            (false, false) => return None,
            (true, below) if self.up || !below => {
                self.up = false;
                self.above += 1;
                self.above - 1
            }
            _ => {
                self.up = true;
                self.below -= 1;
                self.below
            }
        };
        Some(self.word(place))
    }
}
