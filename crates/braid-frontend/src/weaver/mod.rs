//! The Weaver language (`.wvr`) and its superset, Braid's own text form (`.braid`): one reader with a dialect switch.
//!
//! Reading goes in two passes over the S-expressions of the file: first the declarations (variables, functions, sorts,
//! procedure headers), then the statements, each turned into typed, resolved `ast` at once. A statement that is wrong
//! leaves a diagnostic and the next one is read; statements are not read when declarations are wrong.
//! The grammar of what only `.braid` has is in [`braid`].

mod bitvectors;
mod braid;
mod copies;
mod declarations;
mod expressions;
mod labels;
mod scope;
mod sorts;
mod statements;
mod threads;
mod words;

use crate::{Diagnostic, Diagnostics, Language};
use braid_logic::sexpr::{self, AtomKind, Sexpr, read_all};
use braid_program::ast::{Claim, ProcId, Procedure, Program, Stmt, StmtKind, Storage, Type, VarId, Variable};
use braid_program::source::{FileId, Sources, Span};
use copies::Copies;
use labels::Labels;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Meaning, Scope};

/// After this many errors the rest of the text is not read.
const MOST_ERRORS: usize = 20;

/// What is understood, or the first thing that is not.
type Read<T> = Result<T, Diagnostic>;

/// Reads a program in one of the two dialects.
pub(crate) fn parse(name: &str, text: &str, dialect: Language) -> Result<Program, Diagnostics> {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let start = Span { file, start: 0, end: 0 };
    if u32::try_from(text.len()).is_err() {
        return Err(Diagnostics { sources, errors: vec![Diagnostic::new(start, "this text is too long")] });
    }
    let items = match read_all(text) {
        Ok(items) => items,
        Err(error) => {
            let place = Span { file, start: error.span.start as u32, end: error.span.end as u32 };
            let mut diagnostic = Diagnostic { span: place, message: error.message, hint: error.hint.map(Into::into) };
            if text.starts_with('\u{feff}') && error.span.start == 0 {
                diagnostic = Diagnostic::new(place, "the text starts with a byte order mark").hint("save it without");
            }
            return Err(Diagnostics { sources, errors: vec![diagnostic] });
        }
    };
    let mut reader = Reader::new(file, sources, dialect);
    reader.program(&items);
    reader.errors.sort_by_key(|error| error.span);
    reader.errors.dedup();
    reader.errors.truncate(MOST_ERRORS);
    if reader.errors.is_empty() {
        Ok(reader.program)
    } else {
        Err(Diagnostics { sources: reader.program.sources, errors: reader.errors })
    }
}

/// The state of reading one file.
struct Reader {
    file: FileId,
    dialect: Language,
    /// What has been read.
    program: Program,
    /// What is wrong, in the order it was found.
    errors: Vec<Diagnostic>,
    /// What names in expressions mean at this place.
    scope: Scope,
    /// The uninterpreted sorts.
    sorts: FxHashSet<String>,
    /// Was there a `claim`?
    claimed: bool,
    /// The procedures by name.
    procedures: FxHashMap<String, ProcId>,
    /// The variables whose declaration is a top-level item: one for each name and type.
    top_level: FxHashMap<(String, Type), VarId>,
    /// Where a variable that is declared here lives.
    home: Storage,
    /// Is this inside `atomic`?
    atomic: bool,
    labels: Labels,
    copies: Copies,
}

impl Reader {
    fn new(file: FileId, sources: Sources, dialect: Language) -> Reader {
        let claim = match dialect {
            Language::Weaver => Claim::NoCompleteExecution,
            _ => Claim::AssertionsHold,
        };
        Reader {
            file,
            dialect,
            program: Program::new(sources, claim),
            errors: Vec::new(),
            scope: Scope::default(),
            sorts: FxHashSet::default(),
            claimed: false,
            procedures: FxHashMap::default(),
            top_level: FxHashMap::default(),
            home: Storage::Global,
            atomic: false,
            labels: Labels::default(),
            copies: Copies::default(),
        }
    }

    fn program(&mut self, items: &[Sexpr]) {
        let declarations = items.iter().take_while(|item| self.is_declaration(item)).count();
        let (declarations, statements) = items.split_at(declarations);
        let bodies = self.declarations(declarations);
        if !self.errors.is_empty() {
            return;
        }
        for (procedure, body) in bodies {
            self.procedure_body(procedure, body);
        }
        let whole = Span { file: self.file, start: 0, end: 0 };
        match (self.procedures.get("main"), statements.first()) {
            (Some(&main), None) => self.program.main = main,
            (Some(_), Some(first)) => {
                let error =
                    Diagnostic::new(self.span(first), "there is a procedure `main` and also a statement outside");
                self.errors.push(error.hint("statements at top level are the main procedure; keep one of the two"));
            }
            (None, None) => self
                .errors
                .push(Diagnostic::new(whole, "this program has no statements").hint("the smallest program is `(seq)`")),
            (None, Some(first)) => {
                let span = statements.iter().map(|item| self.span(item)).fold(self.span(first), Span::to);
                let body = self.top_level_statements(statements, span);
                let (parameters, results, identity) = (vec![], vec![], None);
                let main = Procedure { name: "main".into(), parameters, results, identity, body, span };
                self.program.main = ProcId(self.program.procedures.len() as u32);
                self.program.procedures.push(main);
            }
        }
    }

    fn top_level_statements(&mut self, statements: &[Sexpr], span: Span) -> Stmt {
        self.home = Storage::Global;
        let mut read = Vec::new();
        for item in statements {
            let result = match self.head(item) {
                Some("declare") => self.declare(item, true),
                _ => self.stmt(item),
            };
            self.keep(result, &mut read);
        }
        self.end_labels();
        Stmt { kind: StmtKind::Seq(read), span }
    }

    /// Takes note of what was read: of the value, or of the error.
    fn keep<T>(&mut self, result: Read<T>, values: &mut Vec<T>) {
        match result {
            Ok(value) => values.push(value),
            Err(error) if self.errors.len() < MOST_ERRORS => self.errors.push(error),
            Err(_) => {}
        }
    }

    /// Forgets the labels of a procedure or branch, and reports jumps to labels that it does not have.
    fn end_labels(&mut self) {
        let errors = self.labels.leave();
        self.errors.extend(errors);
    }

    fn is_braid(&self) -> bool {
        self.dialect == Language::Braid
    }

    fn span(&self, item: &Sexpr) -> Span {
        self.place(item.span())
    }

    fn place(&self, span: sexpr::Span) -> Span {
        Span { file: self.file, start: span.start as u32, end: span.end as u32 }
    }

    /// The word at the head of a list.
    fn head<'a>(&self, item: &'a Sexpr) -> Option<&'a str> {
        item.as_list().and_then(|items| items.first()).and_then(symbol)
    }

    /// A new variable. It is not in scope yet.
    fn new_variable(&mut self, name: &str, ty: Type, span: Span) -> VarId {
        self.program.variables.push(Variable { name: name.to_owned(), ty, storage: self.home, span });
        VarId(self.program.variables.len() as u32 - 1)
    }

    /// A name where one must stand.
    fn name<'a>(&self, item: &'a Sexpr, what: &str) -> Read<&'a str> {
        symbol(item).ok_or_else(|| self.wrong(item, format!("{what} should stand here")))
    }

    /// A variable that is written to.
    fn target(&self, item: &Sexpr) -> Read<VarId> {
        let name = self.name(item, "the name of a variable")?;
        match self.scope.get(name) {
            Some(Meaning::Var(id)) if self.is_identity(id) => {
                Err(self.wrong(item, format!("{} is the identity of the thread and never changes", tick(name))))
            }
            Some(Meaning::Var(id)) => Ok(id),
            Some(Meaning::Fun(_)) => {
                let error = self.wrong(item, format!("{} is a function and never changes", tick(name)));
                Err(error.hint("a table that changes is an array: `(var a (Array Int Int))`, `(store! a i v)`"))
            }
            None => Err(self.unknown_name(item, name)),
        }
    }

    fn wrong(&self, item: &Sexpr, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.span(item), message)
    }
}

/// The text of a symbol, plain or in bars.
fn symbol(item: &Sexpr) -> Option<&str> {
    item.as_symbol().or_else(|| item.as_atom(AtomKind::QuotedSymbol))
}

/// A name as messages show it.
fn tick(name: &str) -> String {
    const LONGEST: usize = 60;
    if name.chars().count() <= LONGEST {
        return format!("`{name}`");
    }
    format!("`{}…`", name.chars().take(LONGEST).collect::<String>())
}

/// `there is 1`, `there are 2`.
fn there_are(number: usize) -> String {
    format!("there {} {number}", if number == 1 { "is" } else { "are" })
}

/// `1 argument`, `2 arguments`.
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
