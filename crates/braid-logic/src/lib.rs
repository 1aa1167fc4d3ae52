//! The logic under Braid: sorts, hash-consed terms, values, and solvers.
//!
//! *Architecture invariant*: nothing here knows what a program is.

mod arithmetic;
mod bitset;
mod bitvec;
mod boolean;
mod cells;
mod float;
mod horn;
mod linear;
mod number;
mod pool;
mod rational;
pub mod sexpr;
mod solver;
mod sort;
mod structure;
mod substitute;
mod term;
pub mod text;
mod value;

pub use arithmetic::LinearBuilder;
pub use bitset::BitSet;
pub use cells::Cells;
pub use float::{FloatOp, FloatResult, Folded, Format, Rounding, fold as fold_float};
pub use horn::{Clause, HornAnswer, HornClauses, Predicate};
pub use linear::{LinearSolver, NativeAnswer, Relation, farkas};
pub use number::Integer;
pub use pool::TermPool;
pub use rational::Rational;
pub use solver::{
    Answer, Answers, Backend, Budget, Interrupter, Solver, SolverError, SolverOptions, Statistics, Validity, z3_version,
};
pub use sort::{Sort, SortKind};
pub use substitute::Substitution;
pub use term::{BvOp, Fun, Linear, Node, Quantifier, Term, Var};
pub use value::{ArrayBase, ArrayValue, Environment, FunctionTable, Model, Open, Value, read};
