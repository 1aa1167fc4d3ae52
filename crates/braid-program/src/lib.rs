//! Programs: structured (`ast`), as automata (`cfa`), and running (`interpreter`).
//!
//! *Architecture invariant*: nothing here calls a solver or knows an engine.

pub mod ast;
pub mod cfa;
mod id;
mod lower;
pub mod source;

pub use lower::{LowerError, LowerOptions, lower};
