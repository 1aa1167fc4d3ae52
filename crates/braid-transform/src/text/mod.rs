//! Sequential programs as text that other tools read: Boogie and C.
//!
//! A program is sequential if it starts no threads. Every variable gets a name of its own, so scopes do not matter; declarations stand at
//! the beginning of a procedure. What a language cannot say is rejected with its place.

mod boogie;
mod c;

use braid_program::ast::{Expr, ExprKind, LabelId, Op, ProcId, Program, Stmt, StmtKind, Storage, VarId};
use braid_program::{Diagnostic, Diagnostics};
use std::collections::{BTreeMap, BTreeSet};

/// What cannot be said, with its place.
type Said<T> = Result<T, Diagnostic>;

/// The text of a sequential program in Boogie.
pub fn to_boogie(program: &Program) -> Result<String, Diagnostics> {
    boogie::program(program).map_err(|error| rejected(program, error))
}

/// The text of a sequential program in C.
pub fn to_c(program: &Program) -> Result<String, Diagnostics> {
    c::program(program).map_err(|error| rejected(program, error))
}

fn rejected(program: &Program, error: Diagnostic) -> Diagnostics {
    Diagnostics { sources: program.sources.clone(), errors: vec![error] }
}

/// What a program mentions, and what that is called.
struct Names {
    variables: BTreeMap<VarId, String>,
    functions: Vec<String>,
    procedures: Vec<String>,
    taken: BTreeSet<String>,
    /// The variables that are assigned somewhere.
    written: BTreeSet<VarId>,
    /// The labels that something goes to.
    targets: BTreeSet<LabelId>,
}

impl Names {
    fn new(program: &Program, keywords: &[&str]) -> Names {
        let mut names = Names {
            variables: BTreeMap::new(),
            functions: Vec::new(),
            procedures: vec![String::new(); program.procedures.len()],
            taken: keywords.iter().map(|&word| word.to_owned()).collect(),
            written: BTreeSet::new(),
            targets: BTreeSet::new(),
        };
        let main = program.main.index();
        names.taken.insert("main".into());
        names.procedures[main] = "main".into();
        for (number, procedure) in program.procedures.iter().enumerate() {
            if number != main {
                names.procedures[number] = names.unique(&procedure.name);
            }
        }
        names.functions = program.functions.iter().map(|function| names.unique(&function.name)).collect();
        let mut mentioned: BTreeSet<VarId> = BTreeSet::new();
        for procedure in &program.procedures {
            mentioned.extend(procedure.parameters.iter().chain(&procedure.results));
        }
        for stmt in program.statements() {
            stmt.exprs().into_iter().flat_map(Expr::all).for_each(|expr| match &expr.kind {
                ExprKind::Var(id) => _ = mentioned.insert(*id),
                ExprKind::Quantified(_, bound, _) => mentioned.extend(bound),
                _ => {}
            });
            names.written.extend(stmt.targets());
            if let StmtKind::Goto(labels) = &stmt.kind {
                names.targets.extend(labels);
            }
        }
        mentioned.extend(&names.written);
        for id in mentioned {
            let name = names.unique(&program.variable(id).name);
            names.variables.insert(id, name);
        }
        names
    }

    /// The name with letters, digits and underscores only, and with a number if it is taken.
    fn unique(&mut self, wanted: &str) -> String {
        let clean: String = wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let clean = if clean.starts_with(|c: char| c.is_ascii_alphabetic()) { clean } else { format!("v{clean}") };
        let mut name = clean.clone();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{clean}_{number}");
            number += 1;
        }
        name
    }

    fn variable(&self, id: VarId) -> &str {
        &self.variables[&id]
    }

    fn procedure(&self, id: ProcId) -> &str {
        &self.procedures[id.index()]
    }

    fn label(&self, id: LabelId) -> String {
        format!("label_{}", id.0)
    }

    /// The global variables that are mentioned.
    fn globals<'n>(&'n self, program: &'n Program) -> impl Iterator<Item = VarId> + 'n {
        self.variables.keys().copied().filter(|id| program.variable(*id).storage == Storage::Global)
    }

    /// The local variables of a procedure that are mentioned, without its parameters and results.
    fn locals<'n>(&'n self, program: &'n Program, id: ProcId) -> impl Iterator<Item = VarId> + 'n {
        let header = program.procedure(id);
        let own = move |var: &VarId| {
            let is_local = program.variable(*var).storage == Storage::Local(id);
            is_local && !header.parameters.contains(var) && !header.results.contains(var)
        };
        self.variables.keys().copied().filter(own)
    }
}

/// Collects variables, those that are bound included.
/// The error for a statement that starts threads or waits for them.
fn not_sequential(stmt: &Stmt) -> Diagnostic {
    debug_assert!(!matches!(stmt.kind, StmtKind::Seq(_)));
    Diagnostic::new(stmt.span, "only sequential programs can be written in this language")
}

/// Text in lines that are indented.
#[derive(Default)]
struct Lines {
    text: String,
    depth: usize,
}

impl Lines {
    fn line(&mut self, text: &str) {
        if !text.is_empty() {
            self.text.push_str(&"  ".repeat(self.depth));
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// A line, with what follows further in.
    fn open(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
    }

    fn close(&mut self, text: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.line(text);
    }
}

/// The operands with something between, in parentheses; something else if there are none.
fn joined(operands: &[String], between: &str, none: &str) -> String {
    if operands.is_empty() { none.to_owned() } else { format!("({})", operands.join(between)) }
}

/// The operators that both languages write alike, with their words for truth and falsehood. None for others.
fn infix(op: Op, operands: &[String], truth: &str, falsehood: &str) -> Option<String> {
    let compared = |sign: &str| {
        let pairs = comparisons(operands, false, |a, b| format!("{a} {sign} {b}"));
        joined(&pairs, " && ", truth)
    };
    Some(match op {
        Op::Not => format!("!({})", operands[0]),
        Op::And => joined(operands, " && ", truth),
        Op::Or => joined(operands, " || ", falsehood),
        Op::Add => joined(operands, " + ", "0"),
        Op::Sub if operands.len() == 1 => format!("(-{})", operands[0]),
        Op::Sub => joined(operands, " - ", "0"),
        Op::Mul => joined(operands, " * ", "1"),
        Op::Lt => compared("<"),
        Op::Le => compared("<="),
        Op::Gt => compared(">"),
        Op::Ge => compared(">="),
        _ => return None,
    })
}

/// A conjunction of comparisons: of neighbours, or of all pairs.
fn comparisons(operands: &[String], all_pairs: bool, compare: impl Fn(&str, &str) -> String) -> Vec<String> {
    let mut parts = Vec::new();
    for (place, a) in operands.iter().enumerate() {
        let rest = &operands[place + 1..];
        let others = if all_pairs { rest } else { &rest[..rest.len().min(1)] };
        parts.extend(others.iter().map(|b| compare(a, b)));
    }
    parts
}

fn not_modelled(stmt: &Stmt, reason: &str) -> Diagnostic {
    Diagnostic::new(stmt.span, format!("what is not modelled cannot be written: {reason}"))
}
