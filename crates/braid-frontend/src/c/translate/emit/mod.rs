//! The emitter: one walk over the tree, which writes the structured program.

mod assumed;
mod condition;
pub mod defined;
mod depth;
mod ending;
pub mod expand;
mod expression;
mod floats;
pub mod frame;
mod function;
pub mod integers;
pub mod library;
pub mod loops;
mod math;
pub mod output;
pub mod outside;
pub mod scalar;
pub mod sections;
pub mod statement;
mod world;
