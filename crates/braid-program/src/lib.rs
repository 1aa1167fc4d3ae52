//! Programs: structured (`ast`), as automata (`cfa`), and running (`interpreter`).
//!
//! *Architecture invariant*: nothing here calls a solver or knows an engine.

pub mod ast;
pub mod cfa;
pub mod deadlock;
mod guide;
mod id;
mod interpreter;
pub mod livelock;
mod lower;
pub mod print;
mod replay;
pub mod source;
mod values;
mod walk;

pub use guide::guide;
pub use interpreter::{Interpreter, State, Stuck};
pub use lower::{LowerError, LowerOptions, lower};
pub use replay::{ExecutedStep, Execution, ReplayError, Replayed, accepted, replay};
pub use walk::{Random, Walker};
