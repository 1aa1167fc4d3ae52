//! Programs as text, in the syntax that the Weaver and Braid front ends read.
//!
//! Printing goes by way of the [`canonical()`] form: every name means one thing where it stands, ids count in the order of
//! the text, and there are no spans. Reading the printed text gives back an equal program in this sense
//! ([`equal_up_to_spans`]), with the same automata.

mod canonical;
mod dialect;
mod layout;
mod names;
mod render;
mod scopes;
pub mod words;

pub use canonical::canonical;
pub use dialect::Dialect;
pub use render::quoted;

use crate::ast::Program;

/// The text of a program, in the dialect of [`Dialect::of`].
pub fn to_text(program: &Program) -> String {
    let canonical = canonical(program);
    render::render(&canonical, Dialect::with_canonical(program, &canonical))
}

/// Are these one program but for spans, the numbers of ids, and names that had to change to be told apart?
pub fn equal_up_to_spans(a: &Program, b: &Program) -> bool {
    canonical(a) == canonical(b)
}
