//! Program text to structured programs ([`braid_program::ast`]).
//!
//! * [`parse`] reads a text that is at hand, [`load()`] a file.
//! * [`Language`] says which languages there are.
//! * [`Diagnostics`] is what comes back for a text that is not a program: places, reasons, hints.
//!
//! *Architecture invariant*: nothing here knows automata, engines or solvers, and no input makes it panic.

pub mod c;
pub mod diagnostic;
mod language;
mod load;
mod spelling;
mod weaver;

pub use diagnostic::{Diagnostic, Diagnostics};
pub use language::{Language, UnknownLanguage};
pub use load::{LoadError, load};

use braid_program::ast::Program;

/// Reads a program. The name is what diagnostics call the text.
pub fn parse(name: &str, text: &str, language: Language) -> Result<Program, Diagnostics> {
    match language {
        Language::Weaver | Language::Braid => weaver::parse(name, text, language),
    }
}
