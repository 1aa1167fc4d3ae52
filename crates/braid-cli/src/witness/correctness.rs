//! From a proof to what a correctness witness says: facts that hold whenever a thread is at a statement.

use super::place::Place;

/// What a correctness witness says.
#[derive(Clone, Debug, Default)]
pub struct Correctness {
    pub invariants: Vec<Invariant>,
}

/// What holds whenever a thread comes to a statement, as an expression of C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// Is the statement a loop, which is come to in each round?
    pub is_loop: bool,
    pub place: Place,
    pub value: String,
}

/// What a proof says.
pub fn correctness() -> Correctness {
    Correctness::default()
}
