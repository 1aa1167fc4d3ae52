//! The values of a state, in blocks that states share until one of them changes: the states of a long execution of many threads differ
//! in few variables.

use braid_logic::Value;
use std::sync::Arc;

const BLOCK: usize = 32;

type Block = [Option<Value>; BLOCK];

/// One value, or none if it is open, for each number below a length.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Values {
    blocks: Vec<Arc<Block>>,
    len: usize,
}

impl Values {
    /// The value of a number.
    #[inline]
    pub fn get(&self, number: usize) -> &Option<Value> {
        &self.blocks[number / BLOCK][number % BLOCK]
    }

    /// Replaces a value.
    pub fn set(&mut self, number: usize, value: Option<Value>) {
        Arc::make_mut(&mut self.blocks[number / BLOCK])[number % BLOCK] = value;
    }

    /// All values that are not open.
    pub fn known(&self) -> impl Iterator<Item = &Value> {
        self.blocks.iter().flat_map(|block| block.iter()).take(self.len).flatten()
    }
}

impl FromIterator<Option<Value>> for Values {
    fn from_iter<I: IntoIterator<Item = Option<Value>>>(values: I) -> Values {
        let mut blocks: Vec<Block> = Vec::new();
        let mut len = 0;
        for value in values {
            if len % BLOCK == 0 {
                blocks.push(std::array::from_fn(|_| None));
            }
            if let Some(block) = blocks.last_mut() {
                block[len % BLOCK] = value;
            }
            len += 1;
        }
        Values { blocks: blocks.into_iter().map(Arc::new).collect(), len }
    }
}
