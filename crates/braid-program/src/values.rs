//! The values of a state, in blocks that states share until one of them changes: the states of a long execution of many threads differ
//! in few variables.

use braid_logic::Value;
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

const BLOCK: usize = 32;

type Block = [Option<Value>; BLOCK];

/// One value, or none if it is open, for each number below a length.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Values {
    /// The hashes of all places, put together: kept as values change, since a state differs from the one before in few of them.
    hash: u64,
    blocks: Vec<Arc<Block>>,
    len: usize,
}

/// The hash of a place with its value. Hashes of several places are put together by exclusive or, so all of its bits have to depend on all.
fn place_hash(number: usize, value: &Option<Value>) -> u64 {
    let mut hash = FxBuildHasher.hash_one((number, value));
    for multiplier in [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb] {
        hash = (hash ^ (hash >> 31)).wrapping_mul(multiplier);
    }
    hash ^ (hash >> 32)
}

impl Hash for Values {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.hash);
    }
}

impl Values {
    /// The value of a number.
    #[inline]
    pub fn get(&self, number: usize) -> &Option<Value> {
        &self.blocks[number / BLOCK][number % BLOCK]
    }

    /// Replaces a value.
    pub fn set(&mut self, number: usize, value: Option<Value>) {
        let place = &mut Arc::make_mut(&mut self.blocks[number / BLOCK])[number % BLOCK];
        self.hash ^= place_hash(number, place) ^ place_hash(number, &value);
        *place = value;
    }

    /// All values that are not open.
    pub fn known(&self) -> impl Iterator<Item = &Value> {
        self.blocks.iter().flat_map(|block| block.iter()).take(self.len).flatten()
    }
}

impl FromIterator<Option<Value>> for Values {
    fn from_iter<I: IntoIterator<Item = Option<Value>>>(values: I) -> Values {
        let mut blocks: Vec<Block> = Vec::new();
        let (mut len, mut hash) = (0, 0);
        for value in values {
            hash ^= place_hash(len, &value);
            if len % BLOCK == 0 {
                blocks.push(std::array::from_fn(|_| None));
            }
            if let Some(block) = blocks.last_mut() {
                block[len % BLOCK] = value;
            }
            len += 1;
        }
        Values { hash, blocks: blocks.into_iter().map(Arc::new).collect(), len }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_logic::Integer;

    #[test]
    fn the_hash_is_that_of_the_values() {
        let value = |number: i64| Some(Value::Int(Integer::from(number)));
        let made: Values = (0..70).map(value).collect();
        let mut changed: Values = (0..70).map(|_| None).collect();
        for number in (0..70).rev() {
            changed.set(number, value(3));
            changed.set(number, value(number as i64));
        }
        assert_eq!(made, changed);
        changed.set(1, value(2));
        changed.set(2, value(1));
        assert_ne!(made.hash, changed.hash);
    }
}
