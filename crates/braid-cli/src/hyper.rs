//! `braid hyper`: from a property of several runs to the program that violates it, if anything does.
//!
//! The property is a formula or the name of one; the functions that it calls are read from the file. Whatever is wrong with it is
//! shown with its place in the property's text.

use crate::document::Hyper;
use crate::exit::Failure;
use crate::input::Input;
use crate::strategy::{not_loaded, rejected};
use braid_frontend::c::translate::Ints;
use braid_frontend::{
    Described, Diagnostic, Language, LoadError, Reading, Representation, SubjectError, View, load_subject,
};
use braid_program::Subject;
use braid_program::source::{Sources, Span};
use braid_transform::formula::{self, Formula, NodeKind};
use braid_transform::named::Named;
use braid_transform::{Column, product};
use std::path::{Path, PathBuf};

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    pub file: PathBuf,
    pub property: String,
    pub function: Option<String>,
    pub reading: Reading,
}

/// What a product is made of.
pub struct Runs {
    pub formula: String,
    pub columns: Vec<Column>,
    function: Option<String>,
}

impl Runs {
    /// For JSON, without runs.
    pub fn stored(&self) -> Hyper {
        Hyper { formula: self.formula.clone(), function: self.function.clone(), runs: Vec::new() }
    }
}

/// A text that was handed in on the command line, for error messages.
struct Text<'t> {
    name: &'static str,
    text: &'t str,
}

impl Text<'_> {
    fn sources(&self) -> Sources {
        let mut sources = Sources::default();
        sources.add(self.name, self.text);
        sources
    }

    fn whole(&self) -> Span {
        Span { end: self.text.len() as u32, ..Span::default() }
    }

    fn failure(&self, error: &Diagnostic) -> Failure {
        Failure::rejected(error.render(&self.sources()))
    }

    fn rejected(&self, span: Span, message: impl Into<String>) -> Failure {
        self.failure(&Diagnostic::new(span, message))
    }

    /// A subject that cannot be had, because of a word in this text.
    fn no_subject(&self, span: Span, error: SubjectError) -> Failure {
        match error {
            SubjectError::Load(error) => not_loaded(error),
            SubjectError::Unknown { message, hint } => {
                self.failure(&Diagnostic { span, message, hint: hint.map(Into::into) })
            }
        }
    }
}

impl Request {
    /// Makes the product program.
    pub fn read(&self) -> Result<Input, Failure> {
        if let Ok(input) = self.product(&self.reading)? {
            return Ok(input);
        }
        let reading = Reading { ints: Some(Ints::Bits), ..self.reading.clone() };
        self.product(&reading)?.map_err(|NeedsBits| Failure::internal("functions have different representations"))
    }

    fn product(&self, reading: &Reading) -> Result<Result<Input, NeedsBits>, Failure> {
        let view = self.function.as_deref().map(view).transpose()?;
        let words = self.property.trim();
        let (text, subjects, is_equivalence) = if words.starts_with("forall") {
            let text = Text { name: "property", text: words };
            let formula = formula::parse(words, Default::default()).map_err(|error| text.failure(&error))?;
            (words.to_owned(), self.subjects(&formula, &text, view.as_ref(), reading)?, false)
        } else {
            let text = Text { name: "property", text: words };
            let named = Named::parse(words).map_err(|message| {
                let end = words.find(':').unwrap_or(words.len()) as u32;
                text.rejected(Span { end, ..Span::default() }, message)
            })?;
            let asked = self.function.as_deref().map(|function| Text { name: "--function", text: function });
            let asked = asked.as_ref().unwrap_or(&text);
            let subject = load_subject(&self.file, reading, view.as_ref());
            let mut subjects = vec![subject.map_err(|error| asked.no_subject(asked.whole(), error))?];
            if let Some(other) = &named.other {
                subjects.push(self.other(other, view.as_ref(), reading).map_err(|error| {
                    let start = words.find(other.as_str()).unwrap_or(0) as u32;
                    let span = Span { start, end: start + other.len() as u32, ..Span::default() };
                    match error {
                        SubjectError::Load(LoadError::Rejected(errors)) => rejected(errors),
                        SubjectError::Load(error) => text.rejected(span, error.to_string()),
                        unknown => text.no_subject(span, unknown),
                    }
                })?);
            }
            let formula = named.formula(&subjects[0].0, subjects.get(1).map(|(other, _)| other));
            let formula = formula.map_err(|message| text.rejected(text.whole(), message))?;
            (formula, subjects, named.other.is_some())
        };
        let (subjects, used): (Vec<Subject>, Vec<Option<Representation>>) = subjects.into_iter().unzip();
        let ints = |used: &Option<Representation>| used.as_ref().map(|used| used.ints);
        if used.iter().any(|other| ints(other) != ints(&used[0])) && reading.ints.is_none() {
            return Ok(Err(NeedsBits));
        }
        let shown = Text { name: "property", text: &text };
        let formula = formula::parse(&text, Default::default()).map_err(|error| shown.failure(&error))?;
        let subject_of = |run: &str| usize::from(is_equivalence && run == "q");
        let product = product(&formula, &shown.sources(), &subjects, &subject_of).map_err(rejected)?;
        let function = self.function.clone();
        let mut used = used.into_iter();
        let mut representation = used.next().flatten();
        for other in used.flatten() {
            if let Some(used) = &mut representation {
                used.assumptions.extend(other.assumptions);
                used.assumptions.sort();
                used.assumptions.dedup();
            }
        }
        Ok(Ok(Input {
            program: product.program,
            representation,
            defined: reading.defined,
            unit: None,
            product: Some(Runs { formula: text, columns: product.columns, function }),
        }))
    }

    /// The subjects of a formula: the one of named runs first, if there are any, then the functions that it calls.
    fn subjects(
        &self,
        formula: &Formula,
        text: &Text<'_>,
        view: Option<&View>,
        reading: &Reading,
    ) -> Result<Vec<Described>, Failure> {
        let mut subjects: Vec<Described> = Vec::new();
        let mut has_runs = false;
        formula.body.for_each(&mut |node| has_runs |= matches!(node.kind, NodeKind::Variable { .. }));
        let functions = formula.functions();
        if has_runs || functions.is_empty() {
            let asked = self.function.as_deref().map(|function| Text { name: "--function", text: function });
            let asked = asked.as_ref().unwrap_or(text);
            let subject = load_subject(&self.file, reading, view);
            subjects.push(subject.map_err(|error| asked.no_subject(asked.whole(), error))?);
        }
        for (name, span) in functions {
            if subjects.iter().any(|(subject, _)| subject.name == name) {
                continue;
            }
            let named = View { name: name.to_owned(), variables: None };
            let view = view.filter(|view| view.name == name).unwrap_or(&named);
            let subject = load_subject(&self.file, reading, Some(view));
            subjects.push(subject.map_err(|error| text.no_subject(span, error))?);
        }
        Ok(subjects)
    }

    /// The other program of an equivalence: a file, or a function of the same file.
    fn other(&self, other: &str, view: Option<&View>, reading: &Reading) -> Result<Described, SubjectError> {
        let path = Path::new(other);
        if Language::from_extension(path).is_ok() {
            // Beside the first one, unless it is found from here.
            let beside = self.file.parent().map(|folder| folder.join(path)).filter(|_| !path.exists());
            return load_subject(beside.as_deref().unwrap_or(path), reading, view);
        }
        load_subject(&self.file, reading, Some(&View { name: other.to_owned(), variables: None }))
    }
}

/// One of the functions needs bit-vectors, so that all must have them.
struct NeedsBits;

/// Reads `name` or `name(x, y) -> z`.
fn view(text: &str) -> Result<View, Failure> {
    let shown = Text { name: "--function", text };
    let wrong = || {
        let error = Diagnostic::new(shown.whole(), "this is neither a name nor a function over variables");
        shown.failure(&error.hint("for example: --function max, --function 'max(x, y) -> z'"))
    };
    let is_name = |name: &str| !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || "(),;".contains(c));
    let Some((name, rest)) = text.split_once('(') else {
        let name = text.trim();
        return if is_name(name) { Ok(View { name: name.to_owned(), variables: None }) } else { Err(wrong()) };
    };
    let (parameters, result) = rest.split_once(')').ok_or_else(wrong)?;
    let result = result.trim().strip_prefix("->").ok_or_else(wrong)?.trim();
    let parameters: Vec<String> =
        parameters.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
    let name = name.trim();
    if !is_name(name) || !is_name(result) || !parameters.iter().all(|name| is_name(name)) {
        return Err(wrong());
    }
    Ok(View { name: name.to_owned(), variables: Some((parameters, result.to_owned())) })
}
