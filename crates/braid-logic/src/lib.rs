//! The logic under Braid: sorts, hash-consed terms, values, and solvers.
//!
//! *Architecture invariant*: nothing here knows what a program is.

mod arithmetic;
mod bitvec;
mod boolean;
mod number;
mod pool;
pub mod sexpr;
mod sort;
mod structure;
mod substitute;
mod term;
pub mod text;
mod value;

pub use arithmetic::LinearBuilder;
pub use number::Integer;
pub use pool::TermPool;
pub use sort::{Sort, SortKind};
pub use substitute::Substitution;
pub use term::{BvOp, Fun, Linear, Node, Quantifier, Term, Var};
pub use value::{ArrayBase, ArrayValue, Environment, FunctionTable, Model, Open, Value, read};
