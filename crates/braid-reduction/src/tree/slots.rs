//! Sets of slots as machine words: sleep sets that are copied, compared and intersected in inner loops.

/// A set of the letters that leave one node, by their slots.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Slots<const W: usize>([u64; W]);

impl<const W: usize> Slots<W> {
    /// How many slots there are.
    pub const CAPACITY: usize = W * 64;
    /// The empty set.
    pub const EMPTY: Self = Slots([0; W]);
    /// The set of all slots.
    pub const ALL: Self = Slots([u64::MAX; W]);

    /// The set with one more slot.
    #[inline]
    pub fn with(mut self, slot: u16) -> Self {
        self.0[slot as usize / 64] |= 1 << (slot % 64);
        self
    }

    /// The set with one slot less.
    #[inline]
    pub fn without(mut self, slot: u16) -> Self {
        self.0[slot as usize / 64] &= !(1 << (slot % 64));
        self
    }

    /// Is the slot in the set?
    #[inline]
    pub fn contains(&self, slot: u16) -> bool {
        self.0[slot as usize / 64] >> (slot % 64) & 1 == 1
    }

    /// Is every slot of this set in the other?
    #[inline]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// What is in one of the sets.
    #[inline]
    pub fn union(self, other: Self) -> Self {
        Slots(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// What is in both sets.
    #[inline]
    pub fn intersection(self, other: Self) -> Self {
        Slots(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// What is in this set but not in the other.
    #[inline]
    pub fn difference(self, other: Self) -> Self {
        Slots(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }
}

impl<const W: usize> FromIterator<u16> for Slots<W> {
    fn from_iter<I: IntoIterator<Item = u16>>(slots: I) -> Self {
        slots.into_iter().fold(Slots::EMPTY, Slots::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_slots_are_sets() {
        let set: Slots<2> = [3, 64, 127].into_iter().collect();
        let part: Slots<2> = [3, 127].into_iter().collect();
        assert!(part.is_subset(&set) && !set.is_subset(&part) && set.contains(64) && !set.contains(65));
        assert_eq!(set.difference(part), Slots::EMPTY.with(64));
        assert_eq!(part.union(Slots::EMPTY.with(64)), set);
        assert_eq!(set.intersection(part), part);
        assert_eq!(set.without(64), part);
        assert!(set.is_subset(&Slots::ALL));
    }
}
