//! Numbers to make things of: at random, but the same each time; or from a list, so that proptest makes a program smaller by making
//! numbers smaller.

use std::str::FromStr;

/// The value of an environment variable such as `BRAID_CASES`, or the usual one.
pub fn setting<T: FromStr>(name: &str, usual: T) -> T {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Marsaglia's xorshift: good enough for tests, and failures are repeatable. The state is not 0.
pub struct Random(pub u64);

impl Random {
    /// The numbers of a seed, which may be any.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Any number but 0.
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number from 0 to one below the limit.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.word() % limit.max(1) as u64) as usize
    }
}

/// A list of numbers that is spent. 0, and what comes when the list is used up, should always be the simplest alternative.
pub struct Choices<'a>(std::slice::Iter<'a, u8>);

impl<'a> Choices<'a> {
    /// All numbers of a list.
    pub fn new(numbers: &'a [u8]) -> Self {
        Choices(numbers.iter())
    }

    /// One of `0 .. count`.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.0.next().copied().unwrap_or(0)) % count
    }

    /// True once in so many times.
    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == one_in - 1
    }

    /// One of the items.
    pub fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
