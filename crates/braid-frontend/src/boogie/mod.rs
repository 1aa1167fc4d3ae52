//! Boogie (`.bpl`), with threads in two dialects.
//!
//! * Ultimate's: `fork 1 p(x);`, `join 1 assign y;`, `atomic { … }`. Threads switch between any two statements. The identity of a
//!   thread is a list of values; a join waits for some thread that was forked under an equal list, and whose procedure
//!   gives as many results of the same types, if any are asked for.
//! * That of the programs of paper 3, Section 6: `call {:async t} p(x);`, `assume {:wait y, t} true;`, `assume {:yield} true;`.
//!   Tasks switch where it says `yield` ("at each possible preemption", Figure 6), where they wait, and where they end.
//!
//! ```text
//! text ──lex──▶ tokens ──parse──▶ syntax ──declarations, procedures──▶ ast
//! ```
//!
//! *Invariant*: every input is either read or rejected with a place. What is rejected although Boogie has it: real numbers,
//! maps with type parameters, procedures with type parameters, quantifiers over types, lambda, the order of constants,
//! functions that are defined by themselves.

mod builtins;
mod calls;
mod declarations;
mod expressions;
mod functions;
mod identities;
mod lex;
mod parse;
mod procedures;
mod scope;
mod statements;
mod syntax;
mod tasks;
mod types;

use crate::{Diagnostic, Diagnostics, stack};
use braid_program::ast::{Claim, Expr, FunId, LabelId, ProcId, Program, VarId, Variable};
use braid_program::source::{FileId, Sources, Span};
use functions::Declared;
use identities::Identities;
use procedures::{Frame, ProcedureInfo};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::Meaning;
use syntax::TypeDeclaration;

/// After this many errors the rest of the text is not read.
const MOST_ERRORS: usize = 20;

/// What is understood, or the first thing that is not.
type Read<T> = Result<T, Diagnostic>;

/// Reads a program.
pub(crate) fn parse(name: &str, text: &str) -> Result<Program, Diagnostics> {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let whole = Span { file, start: 0, end: 0 };
    if u32::try_from(text.len()).is_err() {
        return Err(Diagnostics { sources, errors: vec![Diagnostic::new(whole, "this text is too long")] });
    }
    let result = stack::on_a_large_stack(|| read(file, text, sources.clone()));
    result.unwrap_or_else(|message| Err(vec![Diagnostic::new(whole, message)])).map_err(|mut errors| {
        errors.sort_by_key(|error| error.span);
        errors.dedup();
        errors.truncate(MOST_ERRORS);
        Diagnostics { sources, errors }
    })
}

fn read(file: FileId, text: &str, sources: Sources) -> Result<Program, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let tokens = lex::tokens(file, text, &mut errors);
    let declarations = parse::declarations(&tokens, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut reader = Reader::new(sources);
    reader.program(&declarations, Span { file, start: 0, end: 0 });
    if reader.errors.is_empty() { Ok(reader.program) } else { Err(reader.errors) }
}

/// The state of reading one program.
struct Reader<'s> {
    /// What has been read.
    program: Program,
    /// What is wrong, in the order it was found.
    errors: Vec<Diagnostic>,
    types: FxHashMap<String, TypeDeclaration>,
    /// The type constructors whose values name asynchronous tasks.
    task_types: FxHashSet<String>,
    /// The constants and the global variables.
    globals: FxHashMap<String, Meaning>,
    /// The constants that are declared to differ.
    uniques: Vec<VarId>,
    /// What is known of the values of a global variable: its `where` clause.
    conditions: FxHashMap<VarId, Expr>,
    functions: FxHashMap<String, Declared<'s>>,
    /// The uninterpreted functions that are used, by name and types.
    instances: FxHashMap<String, FunId>,
    /// The functions without parameters that are used.
    nullary: FxHashMap<String, VarId>,
    /// The functions that are being written out.
    writing_out: Vec<&'s str>,
    /// How many operators and operands written-out functions have.
    written_out: usize,
    procedures: FxHashMap<String, ProcedureInfo<'s>>,
    /// What holds at the beginning: axioms, and `where` clauses of global variables.
    assumptions: Vec<Expr>,
    /// The procedure that is being read.
    frame: Frame,
    identities: Identities,
    /// Is some task running? There only in the dialect where tasks switch at given places.
    running: Option<VarId>,
    /// The procedures that run as tasks, and what starts them.
    task_starts: FxHashMap<ProcId, ProcId>,
    labels: u32,
}

impl Reader<'_> {
    fn new(sources: Sources) -> Self {
        Reader {
            program: Program::new(sources, Claim::AssertionsHold),
            errors: Vec::new(),
            types: FxHashMap::default(),
            task_types: FxHashSet::default(),
            globals: FxHashMap::default(),
            uniques: Vec::new(),
            conditions: FxHashMap::default(),
            functions: FxHashMap::default(),
            instances: FxHashMap::default(),
            nullary: FxHashMap::default(),
            writing_out: Vec::new(),
            written_out: 0,
            procedures: FxHashMap::default(),
            assumptions: Vec::new(),
            frame: Frame::default(),
            identities: Identities::default(),
            running: None,
            task_starts: FxHashMap::default(),
            labels: 0,
        }
    }

    fn new_variable(&mut self, variable: Variable) -> VarId {
        self.program.variables.push(variable);
        VarId(self.program.variables.len() as u32 - 1)
    }

    fn new_label(&mut self) -> LabelId {
        self.labels += 1;
        LabelId(self.labels - 1)
    }

    /// Notes an error; gives what is there.
    fn kept<T>(&mut self, result: Read<T>) -> Option<T> {
        result.map_err(|error| self.errors.push(error)).ok()
    }
}
