//! Verification engines behind one trait.
//!
//! * [`Engine`] takes a [`Task`] and a [`Control`], and gives an [`Outcome`], a `safe` with its [`Proof`].
//! * [`gem`] proves a reduction chosen by a preference order.
//! * [`weave`] proves some reduction out of all of them.
//! * [`cegar`] visits abstract states, leaving out what does not matter there.
//! * [`modular`] checks one thread at a time, and asks the others by need.
//! * [`delay`] finds bugs within few delays of a deterministic schedule.
//! * [`deadlock`] proves by the order of locks that nobody waits for ever.
//! * [`parametric`] proves for any number of threads, by facts about one and about two of them.
//! * [`explicit`] visits the reachable states one by one: the oracle of all tests, and a bug finder.
//! * [`strategy`] says which of them work on what.
//!
//! *Architecture invariant*: nothing here knows the command line, and no engine can say `unsafe` without an execution
//! that the interpreter has replayed.

mod board;
pub mod cegar;
pub mod certify;
mod conditions;
mod control;
pub mod deadlock;
pub mod delay;
mod distance;
mod engine;
pub mod explicit;
pub mod gem;
mod like_threads;
pub mod memory;
pub mod modular;
mod outcome;
pub mod parametric;
mod portfolio;
mod proof;
mod rates;
mod reason;
mod refinement;
mod seeds;
pub mod strategy;
pub mod weave;

pub use board::{Board, Seat};
pub use control::{Control, Progress, StopReason};
pub use engine::{Engine, Structured, Task};
pub use outcome::{Counterexample, Outcome, Queries, Statistics, Verdict};
pub use portfolio::{Answer, Member, Portfolio};
pub use proof::{
    AbstractState, Abstraction, Argument, Claim, Environments, Fact, Invariant, Proof, ProvenReduction,
    SequentialAction, SequentialProof, ThreadModular, Waiting,
};
pub use reason::Reason;
