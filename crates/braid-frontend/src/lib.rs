//! Program text to structured programs ([`braid_program::ast`]).
//!
//! * [`parse`] reads a text that is at hand, [`load()`] a file.
//! * [`Language`] says which languages there are.
//! * [`load_subject`] reads a program or a C function with named inputs and outputs.
//! * [`Diagnostics`] is what comes back for a text that is not a program: places, reasons, hints.
//!
//! *Architecture invariant*: nothing here knows automata, engines or solvers, and no input makes it panic.

mod assumption;
mod boogie;
pub mod c;
mod language;
mod load;
mod reading;
mod rebase;
mod stack;
mod subject;
mod weaver;

pub use assumption::Assumption;
pub use language::{Language, UnknownLanguage};
pub use load::{LoadError, Loaded, load, load_as};
pub use reading::{Effect, Extern, Externs, Harness, Preprocessor, Reading, Representation, SourceFile};
pub use subject::{Described, SubjectError, View, load_subject};

use braid_program::ast::Program;
pub use braid_program::{Diagnostic, Diagnostics, Hint};
use braid_program::{diagnostic, latin, spelling};

/// Reads a program. The name is what diagnostics call the text.
pub fn parse(name: &str, text: &str, language: Language) -> Result<Program, Diagnostics> {
    parse_as(name, text, language, &Reading::default()).map(|(program, _)| program)
}

/// Reads a program in a given way; says how its numbers are represented, where the language leaves that open.
pub fn parse_as(
    name: &str,
    text: &str,
    language: Language,
    reading: &Reading,
) -> Result<(Program, Option<Representation>), Diagnostics> {
    read_as(name, text, language, reading).map(|Loaded { program, c }| (program, c.map(|(used, _)| used)))
}

fn read_as(name: &str, text: &str, language: Language, reading: &Reading) -> Result<Loaded, Diagnostics> {
    let c = |kind| {
        let unit = c::unit(name, text, kind, reading)?;
        let (program, used) = c::translated(&unit, reading)?;
        Ok(Loaded { program, c: Some((used, unit)) })
    };
    match language {
        Language::Weaver | Language::Braid => Ok(Loaded { program: weaver::parse(name, text, language)?, c: None }),
        Language::Boogie => Ok(Loaded { program: boogie::parse(name, text)?, c: None }),
        Language::C => c(c::Kind::Source),
        Language::PreprocessedC => c(c::Kind::Preprocessed),
    }
}
