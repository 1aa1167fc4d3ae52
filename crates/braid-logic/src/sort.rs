//! Sorts (types) of terms: small handles into the pool, equal sorts being the same handle.

/// A sort, as a handle into the pool that made it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Sort(pub(crate) u32);

impl Sort {
    /// Truth values.
    pub const BOOL: Sort = Sort(0);
    /// Mathematical integers.
    pub const INT: Sort = Sort(1);
}

/// What a sort is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SortKind {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Bit-vectors of the given width, at least 1.
    BitVec(u32),
    /// Total, extensional arrays.
    Array {
        /// The sort of indices.
        index: Sort,
        /// The sort of elements.
        element: Sort,
    },
    /// An uninterpreted sort, known by its name.
    Uninterpreted(Box<str>),
}
