//! Runs compiled C programs under a scheduler of its own: the second, independent way to a bug.
//!
//! * [`Sources`] is what is compiled, and how; [`Compiled`] is the program, linked with the runtime.
//! * [`Compiled::search`] looks for a run that violates a [`Property`]; [`Compiled::replay`] repeats one.
//! * [`Compiled::follow`] looks for a run near a [`Guide`], such as a counterexample found on a model of the program.
//! * [`Place`]s say where in the source an address is.
//!
//! The runtime is C (`runtime/`), compiled by the user's compiler and linked with the program. It runs in a child process
//! with limits, and reports on a pipe; see `docs/run.md`.
//!
//! *Architecture invariant*: nothing here knows how Braid reads C. What comes out is what the program did on the machine.

mod child;
mod compile;
mod elf;
mod guide;
mod job;
mod places;
mod property;
mod report;
mod runtime;
mod scratch;
mod storage;

pub use child::{Limits, Schedule, Start};
pub use compile::{Compiled, Sources};
pub use guide::{Given, Guide, GuideStep, GuideThread, Mark, Way, WayStart, Written};
pub use places::Place;
pub use property::{Memory, Property, Watch};
pub use report::{End, Input, Report, Search, Step, Switch, Thread};
pub use runtime::text as runtime_text;
pub use scratch::Scratch;

/// Why a program could not be compiled or run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The compiler cannot be started.
    NoCompiler(String),
    /// The compiler or the linker rejects the program: what it says.
    Rejected(String),
    /// The child process did not do what it should: a fault of Braid, or of the system.
    Child(String),
    /// Time was up, or the user has interrupted.
    Stopped,
}

impl std::fmt::Display for Error {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::NoCompiler(why) => write!(out, "the C compiler cannot be started: {why}"),
            Error::Rejected(what) => write!(out, "the C compiler says: {what}"),
            Error::Child(what) => write!(out, "the program could not be run: {what}"),
            Error::Stopped => write!(out, "stopped"),
        }
    }
}

impl std::error::Error for Error {}
