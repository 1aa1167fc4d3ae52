//! Sets of small numbers as bits: dense ids of actions, assertions, threads.

/// A set of indices. Equal sets are equal, and hash equally, however they were made.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct BitSet {
    /// Bit `n` of the words, lowest first; no zero words at the end.
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set.
    pub fn new() -> BitSet {
        BitSet::default()
    }

    /// Adds an index.
    pub fn insert(&mut self, index: usize) {
        let word = index / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (index % 64);
    }

    /// Adds all indices of another set; true if one of them is new.
    pub fn extend(&mut self, other: &BitSet) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut grown = false;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            grown |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        grown
    }

    /// The indices that are in both sets.
    pub fn common(&self, other: &BitSet) -> BitSet {
        let mut words: Vec<u64> = self.words.iter().zip(&other.words).map(|(a, b)| a & b).collect();
        while words.last() == Some(&0) {
            words.pop();
        }
        BitSet { words }
    }

    /// Is the index in the set?
    #[inline]
    pub fn contains(&self, index: usize) -> bool {
        self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Is every index of this set in the other?
    #[inline]
    pub fn is_subset(&self, other: &BitSet) -> bool {
        self.words.len() <= other.words.len() && self.words.iter().zip(&other.words).all(|(a, b)| a & !b == 0)
    }

    /// Is no index of this set in the other?
    #[inline]
    pub fn is_disjoint(&self, other: &BitSet) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & b == 0)
    }

    /// Is there no index in the set?
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How many indices are in the set?
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The indices, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(number, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    number * 64 + bit
                })
            })
        })
    }
}

impl FromIterator<usize> for BitSet {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> BitSet {
        let mut set = BitSet::new();
        indices.into_iter().for_each(|index| set.insert(index));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let set: BitSet = [3, 200, 64, 3].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 64, 200]);
        assert_eq!(set.len(), 3);
        assert!(set.contains(64) && !set.contains(65) && !set.contains(1000));
        let part: BitSet = [64, 3].into_iter().collect();
        let apart: BitSet = [4, 1000].into_iter().collect();
        assert!(apart.is_disjoint(&set) && !part.is_disjoint(&set));
        let mut both = part.clone();
        assert!(both.extend(&apart) && !both.extend(&part));
        assert_eq!(both.iter().collect::<Vec<_>>(), [3, 4, 64, 1000]);
        assert_eq!(both.common(&set), part);
        assert!(part.common(&apart).is_empty() && part.common(&apart) == BitSet::new());
        assert!(part.is_subset(&set) && !set.is_subset(&part) && BitSet::new().is_subset(&part));
    }
}
