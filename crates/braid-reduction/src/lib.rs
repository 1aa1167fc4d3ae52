//! Which interleavings matter (paper 1, "Sound Sequentialization for Concurrent Program Verification").
//!
//! * [`Commutativity`]: which actions may be swapped (sections 3 and 7.2).
//! * [`PreferenceOrder`]: which of two equivalent interleavings is kept (section 4).
//! * [`PersistentSets`]: actions that can be pruned at once (sections 6 and 7.1).
//! * [`Reduced`]: what is left of a program by these and by sleep sets (section 5), as an automaton made lazily.
//! * [`Symmetry`]: which threads can be exchanged.
//! * [`Sight`]: what an abstraction sees of a program.
//! * [`Cone`]: which assignments matter in a state (paper 5).
//! * [`tree`]: all sleep set reductions at once (paper 4).
//!
//! *Architecture invariant*: nothing here knows a proof. What an interleaving is proven with is the caller's affair; an
//! assertion that is known to hold is an argument like any other.

mod commutativity;
mod cone;
mod order;
mod persistent;
mod rates;
mod reduced;
mod sight;
mod sleep;
mod symmetry;
mod target;
pub mod tree;

pub use commutativity::{Commutativity, CommutativityMode};
pub use cone::{Cone, ConeMode, ConeStatistics, Simplified};
pub use order::{Context, OrderError, OrderSpec, PreferenceOrder};
pub use persistent::PersistentSets;
pub use rates::{ends_round, loops};
pub use reduced::{Leaving, Reduced, ReducedState, Reduction};
pub use sight::Sight;
pub use symmetry::Symmetry;
pub use target::Target;
