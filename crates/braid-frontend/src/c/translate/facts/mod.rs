//! What is known of a program before anything is emitted: who calls whom, what points where, how types lie in memory.

pub mod call_graph;
pub mod endings;
pub mod heap;
pub mod layout;
pub mod objects;
pub mod points_to;
pub mod sequence;
pub mod variables;
pub mod walk;
