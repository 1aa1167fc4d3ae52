//! What tests of several crates share: numbers to make things of, changed texts, programs out of texts.
//!
//! *Architecture invariant*: only tests and benchmarks use this.

mod mutation;
mod numbers;
#[cfg(feature = "programs")]
mod programs;

pub use mutation::{fuzzed, mutated, on_a_small_stack};
pub use numbers::{Choices, Random, setting};
#[cfg(feature = "programs")]
pub use programs::{lowered, parsed, stepwise};
