//! The compiled program: the second way to a bug, beside the model that engines work on.
//!
//! Engine `run` is here and not behind the `Engine` trait: an engine gets automata, and this one gets what the C compiler
//! gets. It works on programs that the front end rejects, and its executions are the machine's, not the interpreter's.
//!
//! *Invariant*: the program is executed only if the user asked for it: `--engine run`, `--allow-run`, `--confirm`,
//! `replay --run`. *Invariant*: nothing here says `safe`; an `unsafe` is an execution that was repeated in another process.

mod beside;
mod confirm;
mod effects;
mod guide;
mod keep;
mod model;
mod options;
mod search;
mod story;

pub use beside::Beside;
pub use confirm::{Lead, PATIENCE, Request as ConfirmationRequest, confirm_found, offer, offer_search, stored};
pub use effects::{is_effect, plain};
pub use guide::guide;
pub use options::{Machine, Unseen, run_property, unseen};
pub use search::{is_c, verify};
