//! Proofs about programs: Hoare triples, and assertions that show why a trace cannot happen.
//!
//! *Architecture invariant*: nothing here knows an engine, and whatever leaves the [`TraceProver`] was validated triple
//! by triple by the solver.

mod constants;
mod core;
mod countermodels;
mod farkas;
mod floyd_hoare;
mod generalise;
mod horn;
mod invariants;
mod path;
mod prover;
mod symbols;
mod trace;
mod triple;

pub use floyd_hoare::{AssertionId, FloydHoareAutomaton, Known};
pub use invariants::{FlowGraph, InvariantBudget, affine_equalities, keep_inductive, loop_invariants, zones};
pub use prover::{
    Annotation, Contradiction, ProveTraces, ProverOptions, Strategy, StrategyStatistics, TraceOutcome, TraceProver,
    UnknownTrace,
};
pub use trace::{Feasible, Trace};
pub use triple::triple;
