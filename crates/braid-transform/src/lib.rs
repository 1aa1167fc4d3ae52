//! Structured programs to structured programs.
//!
//! A hyperproperty relates several runs. [`product`] makes one program of them: variable-disjoint copies side by side, the
//! property's hypotheses before, its negated conclusion behind, and the claim that no execution gets through
//! (self-composition, as in the paper on Weaver, Section 2). Whoever verifies programs verifies hyperproperties then.
//!
//! * [`formula`] is the language of properties over copies; [`named`] are those that have names.
//! * [`product`] builds the program.
//!
//! [`delay`] makes sequential programs of asynchronous ones (paper 3), and [`text`] writes them for other tools.
//!
//! *Architecture invariant*: `ast` in, `ast` out; nothing here knows automata, engines or solvers.

mod conditions;
mod copy;
pub mod delay;
pub mod formula;
pub mod named;
mod product;
pub mod text;
mod typing;

pub use product::{Column, Product, Shown, product};
