//! Braid as a library: proves that a concurrent program is correct, or gives an execution that breaks it.
//!
//! ```
//! use braid::{Verdict, Verifier};
//!
//! # fn main() -> Result<(), braid::Error> {
//! let answer = Verifier::new().verify("../../examples/lost-update.wvr")?;
//! assert_eq!(answer.verdict(), Verdict::Unsafe);
//! let execution = answer.executions().next().expect("an unsafe program has one");
//! for step in &execution.rows {
//!     println!("{}: line {}: {}", execution.threads[step.thread].name, step.place.line, step.text);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The promise is that of the command: never [`Verdict::Safe`] without a proof, never [`Verdict::Unsafe`] without an execution that was
//! replayed, [`Verdict::Unknown`] otherwise. What the command understands is in the manual: `docs/c.md`, `docs/properties.md`. An answer is
//! also there as the JSON document of `docs/json.md`.
//!
//! Everything happens in this process: no other one is started, but for the C preprocessor, and for a compiled program where an option asks
//! for it. Nothing is printed, and signals are left alone.
//!
//! *Architecture invariant*: nothing is decided here. This crate gives names and types to what `braid-cli` does.

mod answer;
mod verifier;

pub use answer::{Answer, Property, Summary, Verdict};
pub use braid_cli::library::{
    Annotation, Annotations, Change, Ending, EngineName as Engine, Flow, Ghost, Kind, Lane, Place, Row as Step, Spot,
    Story as Execution,
};
pub use verifier::{Error, Verifier};
