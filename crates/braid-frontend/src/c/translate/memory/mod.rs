//! The memory model: where objects are, which variables hold their contents, what an access means.

pub mod access;
pub mod addresses;
pub mod bytes;
pub mod cells;
pub mod decisions;
pub mod declarations;
mod freeing;
pub mod initial;
mod leaks;
mod legend;
mod lengths;
mod lifetime;
pub mod place;
pub mod races;
pub mod records;
mod statics;
mod tracing;
mod uninitialised;
mod validity;
