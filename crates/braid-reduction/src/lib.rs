//! Which interleavings matter (paper 1, "Sound Sequentialization for Concurrent Program Verification").
//!
//! * [`Commutativity`]: which actions may be swapped (sections 3 and 7.2).
//! * [`PreferenceOrder`]: which of two equivalent interleavings is kept (section 4).
//! * [`SleepSets`]: the reduction as an automaton, made lazily (section 5).
//! * [`PersistentSets`]: actions that can be pruned at once (sections 6 and 7.1).
//! * [`Symmetry`]: which threads can be exchanged.
//! * [`Sight`]: what an abstraction sees of a program.
//! * [`Cone`]: which assignments matter in a state (paper 5).
//! * [`tree`]: all sleep set reductions at once (paper 4).
//!
//! *Architecture invariant*: nothing here knows a proof. What an interleaving is proven with is the caller's affair; an
//! assertion that is known to hold is an argument like any other.

mod automaton;
mod commutativity;
mod cone;
mod order;
mod persistent;
mod sight;
mod sleep;
mod symmetry;
pub mod tree;

pub use automaton::{Automaton, Target};
pub use commutativity::{Commutativity, CommutativityMode, CommutativityStatistics};
pub use cone::{Cone, ConeMode, ConeStatistics, Simplified};
pub use order::{Context, OrderError, OrderSpec, PreferenceOrder};
pub use persistent::PersistentSets;
pub use sight::Sight;
pub use sleep::{SleepAutomaton, SleepSets, SleepState};
pub use symmetry::Symmetry;
