//! Programs: structured (`ast`), as automata (`cfa`), and running (`interpreter`).
//!
//! *Architecture invariant*: nothing here calls a solver or knows an engine.

pub mod ast;
pub mod cfa;
pub mod deadlock;
pub mod diagnostic;
pub mod graph;
mod guide;
mod id;
mod interpreter;
pub mod latin;
pub mod livelock;
mod lower;
pub mod print;
mod replay;
mod scheduler;
pub mod source;
pub mod spelling;
mod subject;
mod values;
mod walk;

pub use diagnostic::{Diagnostic, Diagnostics, Hint};
pub use guide::guide;
pub use interpreter::{Interpreter, State, Stuck};
pub use lower::{LowerError, LowerOptions, ROUND, lower, one_round};
pub use replay::{ExecutedStep, Execution, ReplayError, Replayed, accepted, replay};
pub use scheduler::Scheduler;
pub use subject::{Place, Port, Subject};
pub use walk::{Random, Walker};
