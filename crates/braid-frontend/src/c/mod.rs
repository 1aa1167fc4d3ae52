//! C with pthreads: text to a typed tree ([`unit()`]), and from there to structured programs (`translate`).
//!
//! ```text
//! .c ──preprocess──▶ text ──lex──▶ tokens ──parse──▶ syntax ──check──▶ tree::Unit
//! .i ────────────────▲
//! ```
//!
//! *Invariant*: library functions mean what their names say; bodies that headers give them are looked at only if the program
//! gets there. *Invariant*: every input is either read or rejected with a place, on any stack.

mod align;
mod annotations;
mod check;
mod floats;
mod function;
mod harness;
pub mod legend;
mod lex;
mod parse;
mod pieces;
mod places;
mod pragmas;
mod prelude;
mod preprocess;
mod primitives;
mod syntax;
pub mod translate;
pub mod tree;

use crate::{Diagnostics, Language, Preprocessor, Reading, Representation, SourceFile, stack};
pub use annotations::as_statements;
pub use check::types::{display, display_qualified};
pub(crate) use function::function;
pub(crate) use harness::has_any_argument;
pub use preprocess::preprocessor;

use braid_program::ast::Program;
use braid_program::source::FileId;
use check::Checked;
use pieces::{User, Wanted};
use places::{Known, Places};
use prelude::Text;
use tree::{DataModel, Unit};

/// What a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The output of a preprocessor, `.i`: taken as it is.
    Preprocessed,
    /// A source file, `.c`: goes through the system's preprocessor first.
    Source,
}

/// The data model where nobody says it: 32 bits for preprocessed files, and for source files that declare or call a function of
/// verification tasks (`reach_error`, `__VERIFIER_…`), as SV-COMP has it; what this machine has for other source files. Comments and strings do
/// not count.
pub fn default_model(text: &str, kind: Kind) -> DataModel {
    let is_task = || {
        // Macros are part of the program.
        let text = text.replace('#', " ");
        let tokens = lex::tokens(&mut Places::identical(Default::default(), "", &text), &mut Vec::new());
        tokens.windows(2).any(|pair| {
            (pair[0].text == "reach_error" || pair[0].text.starts_with("__VERIFIER_")) && pair[1].text == "("
        })
    };
    let is_small = kind == Kind::Preprocessed || cfg!(target_pointer_width = "32") || is_task();
    if is_small { DataModel::Ilp32 } else { DataModel::Lp64 }
}

/// Reads a program. The name is what diagnostics call the text; headers in quotes are looked for in its directory.
pub fn unit(name: &str, text: &str, kind: Kind, reading: &Reading) -> Result<Unit, Diagnostics> {
    if reading.harness.is_empty() {
        let mut unit = unit_from(name, text, kind, reading, "main")?;
        if reading.preprocessor.linux && translate::main_of(&unit).is_none() {
            unit.begin_at(harness::MODULE);
        }
        return Ok(unit);
    }
    // The harness's words must not decide how wide types are.
    let model = reading.data_model.unwrap_or_else(|| default_model(text, kind));
    let reading = Reading { data_model: Some(model), ..reading.clone() };
    let text = text.to_owned() + &harness::lines(&reading.harness);
    let mut unit = unit_from(name, &text, kind, &reading, harness::ENTRY)?;
    unit.begin_at(harness::ENTRY);
    Ok(unit)
}

/// The same, where another function runs first.
fn unit_from(name: &str, text: &str, kind: Kind, reading: &Reading, entry: &str) -> Result<Unit, Diagnostics> {
    let model = reading.data_model.unwrap_or_else(|| default_model(text, kind));
    let own = Source::new(name, text, kind, model, &reading.preprocessor.and(&reading.own))?;
    let others = reading.others.iter().map(|file| Source::load(file, model, &reading.preprocessor));
    let sources = std::iter::once(Ok(own)).chain(others).collect::<Result<Vec<Source>, Diagnostics>>()?;
    let preludes = prelude::texts(reading, model)?;
    let result = stack::on_a_large_stack(|| checked(&sources, &preludes, model, entry));
    result.unwrap_or_else(|message| Err(Diagnostics::of_text(name, text, message)))
}

/// The text of one file.
struct Source {
    name: String,
    /// What the user wrote.
    original: String,
    /// What the preprocessor made of it.
    preprocessed: Option<String>,
}

impl Source {
    fn new(name: &str, text: &str, kind: Kind, model: DataModel, told: &Preprocessor) -> Result<Source, Diagnostics> {
        let (name, original) = (name.to_owned(), annotations::as_statements(text).into_owned());
        let preprocessed = match kind {
            Kind::Preprocessed => None,
            Kind::Source => Some(preprocess::preprocess(&name, &original, model, told)?),
        };
        Ok(Source { name, original, preprocessed })
    }

    /// One of the other files, with what the preprocessor is told for all.
    fn load(file: &SourceFile, model: DataModel, told: &Preprocessor) -> Result<Source, Diagnostics> {
        let name = file.path.to_string_lossy();
        let text = crate::load::read_c(&file.path).map_err(|error| Diagnostics::of_text(&name, "", error.reason()))?;
        let kind = match Language::from_extension(&file.path) {
            Ok(Language::C) => Kind::Source,
            Ok(Language::PreprocessedC) => Kind::Preprocessed,
            _ => return Err(Diagnostics::of_text(&name, "", "only C files can be put together".to_owned())),
        };
        let told = told.and(&file.preprocessor);
        Source::new(&name, &text, kind, model, &told)
    }
}

/// The structured form of a program that has been read.
pub fn translated(unit: &Unit, reading: &Reading) -> Result<(Program, Representation), Diagnostics> {
    let translate::Translation { program, ints, assumptions, unsequenced, unrolled, legend, .. } =
        translate::translate(unit, reading).map_err(|error| unit.rejected(error))?;
    Ok((program, Representation { data_model: unit.data_model, ints, assumptions, unsequenced, unrolled, legend }))
}

fn checked<'t>(files: &'t [Source], own: &'t [Text], model: DataModel, entry: &str) -> Result<Unit, Diagnostics> {
    let (mut errors, mut wanted) = (Vec::new(), Wanted::new());
    let mut read = |mut places: Places<'t>, user: User| {
        let tokens = lex::tokens(&mut places, &mut errors);
        let externals = parse::externals(&tokens, model, &mut errors, |used| wanted.words(used, user));
        (externals, places.into_known())
    };
    let (mut program, mut known) = (Vec::new(), Known::default());
    for Source { name, original, preprocessed } in files {
        let places = match preprocessed {
            Some(text) => Places::preprocessed(known, name, original, text),
            None => Places::identical(known.sources, name, original),
        };
        let (externals, next) = read(places, User::Program);
        program.push(externals);
        known = next;
    }
    let mut sources = known.sources;
    let first = FileId(sources.count());
    for (name, text) in prelude::TEXTS {
        sources.add(name, text);
    }
    let mut additions = Vec::new();
    for (name, text) in own {
        let (externals, next) = read(Places::identical(sources, name, text), User::Prelude);
        additions.extend(externals);
        sources = next.sources;
    }
    let arguments = own.iter().any(|(name, _)| name == prelude::ARGUMENTS);
    loop {
        let texts = wanted.read(first, model, &mut errors);
        if !errors.is_empty() {
            errors.sort_by_key(|error| error.span);
            return Err(Diagnostics { sources, errors });
        }
        let (builtins, library) = texts.split_first().expect("the prelude has texts");
        let externals = library.iter().flatten().chain(&additions);
        let left_out = wanted.left_out().collect();
        let prelude = check::Prelude { builtins, externals: externals.collect(), left_out, arguments, first };
        match check::program(&program, prelude, sources, model, entry) {
            Checked::Done(result) => return *result,
            Checked::Asks { names, sources: back } => {
                names.iter().for_each(|name| wanted.name(name, User::Program));
                sources = back;
            }
        }
    }
}
