//! From a file name to automata, or to a rejection that shows the place.

use crate::exit::Failure;
use crate::hyper::{Request, Runs};
use crate::machine::{self, Unseen};
use crate::strategy::{not_loaded, rejected};
use braid_frontend::c::tree::Unit;
use braid_frontend::{Diagnostic, Diagnostics, Language, LoadError, Loaded, Reading, Representation, load_as};
use braid_logic::TermPool;
use braid_program::ast::{Check, Checks};
use braid_program::source::Span;
use braid_program::{LowerOptions, ast, cfa, lower};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a program comes from.
pub enum Source {
    /// A file.
    Program { file: PathBuf, reading: Reading },
    /// Several runs of what is in a file.
    Hyper(Request),
}

/// What was read.
pub struct Input {
    pub program: ast::Program,
    /// How its numbers are represented, where the language leaves that open.
    pub representation: Option<Representation>,
    /// Is it the translation of C in which undefined behaviour ends an execution?
    pub defined: bool,
    /// The tree of one C program, which can be translated again.
    pub unit: Option<Arc<Unit>>,
    /// What it is made of, if it is several runs.
    pub product: Option<Runs>,
}

impl Input {
    /// Translates a C program that has been read.
    pub fn of_unit(unit: Arc<Unit>, reading: &Reading) -> Result<Input, Failure> {
        let (program, used) = braid_frontend::c::translated(&unit, reading).map_err(rejected)?;
        Ok(Input { program, representation: Some(used), defined: reading.defined, unit: Some(unit), product: None })
    }
}

impl Input {
    /// Is it a translation of C in which loops that start threads were to stay loops?
    pub fn is_rolled(&self) -> bool {
        self.representation.as_ref().is_some_and(|used| used.unrolled.is_none())
    }

    /// Why no run of the compiled program shows a violation at a place; none if one may.
    pub fn unseen(&self, (check, place): (Check, Span)) -> Option<Unseen> {
        let mut unsequenced = self.representation.iter().flat_map(|used| &used.unsequenced);
        match check {
            Check::Undefined => unsequenced.any(|at| *at == place).then_some(Unseen::Order),
            _ => machine::unseen(check),
        }
    }
}

impl Source {
    /// Reads the program.
    pub fn read(&self) -> Result<Input, Failure> {
        match self {
            Source::Program { file, reading } => {
                let Loaded { program, c } = read(file, reading)?;
                let (representation, unit) = c.unzip();
                let unit = unit.map(Arc::new);
                Ok(Input { program, representation, defined: reading.defined, unit, product: None })
            }
            Source::Hyper(request) => request.read(),
        }
    }

    pub fn file(&self) -> &Path {
        match self {
            Source::Program { file, .. } | Source::Hyper(Request { file, .. }) => file,
        }
    }

    /// The names of all files that the user gave.
    pub fn files(&self) -> Vec<String> {
        let others = self.reading().others.iter().map(|other| other.path.as_path());
        std::iter::once(self.file()).chain(others).map(|path| path.to_string_lossy().into_owned()).collect()
    }

    pub fn reading(&self) -> &Reading {
        match self {
            Source::Program { reading, .. } | Source::Hyper(Request { reading, .. }) => reading,
        }
    }

    /// The property as the user wrote it.
    pub fn property(&self) -> String {
        match self {
            Source::Program { reading, .. } => crate::property::name(reading.checks),
            Source::Hyper(request) => request.property.clone(),
        }
    }
}

/// Reads a program.
pub fn read(path: &Path, reading: &Reading) -> Result<Loaded, Failure> {
    let language = Language::from_extension(path).ok();
    let is_c = matches!(language, Some(Language::C | Language::PreprocessedC));
    if reading.checks != Checks::default() && !is_c {
        let what = "this property is one of C programs; what other programs must fulfil is in their text";
        return Err(Failure::rejected(format!("{}: {what}", path.display())));
    }
    if !reading.preprocessor.is_empty() && language.is_some_and(|language| language != Language::C) {
        let what = "`-I` and `-D` are for the preprocessor, which only `.c` files go through";
        return Err(Failure::usage(format!("error: {}: {what}", path.display())));
    }
    let names_functions = !reading.preludes.is_empty() || reading.externs.0.iter().any(|known| known.name != "*");
    if names_functions && language.is_some() && !is_c {
        let what = "`--prelude` and `--extern` are for functions of C";
        return Err(Failure::usage(format!("error: {}: {what}", path.display())));
    }
    load_as(path, reading).map_err(|error| {
        let unsupported =
            |errors: &Diagnostics| errors.errors.iter().all(|error| error.what_is_unsupported().is_some());
        let only_unsupported = is_c && matches!(&error, LoadError::Rejected(errors) if unsupported(errors));
        let mut failure = not_loaded(error);
        if only_unsupported {
            failure.message += &machine::offer_search(path);
        }
        failure
    })
}

/// Turns a program into automata.
pub fn automata<'p>(
    program: &ast::Program,
    pool: &'p TermPool,
    options: LowerOptions,
) -> Result<cfa::Program<'p>, Failure> {
    lower(program, pool, options)
        .map_err(|error| Failure::rejected(Diagnostic::new(error.span, error.message).render(&program.sources)))
}
