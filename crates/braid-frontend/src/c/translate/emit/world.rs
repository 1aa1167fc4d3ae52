//! What the world outside sees. Where livelocks are looked for, output, input and calls of functions without a body change a
//! variable that nobody reads: a loop that does such a thing does its work, and is no livelock.

use crate::c::translate::Translator;
use braid_program::ast::{Check, Stmt, StmtKind, Storage, Type, build};
use braid_program::source::Span;

/// Functions of the library, by how their names begin or end, that write or read outside.
const FAMILIES: [&str; 8] = ["printf", "printf_chk", "scanf", "put", "puts", "putc", "getc", "gets"];
/// The others.
const OTHERS: [&str; 16] = [
    "putchar", "fputs", "fputc", "fwrite", "write", "send", "sendto", "perror", "syslog", "getchar", "fgetc", "fgets",
    "fread", "read", "recv", "getline",
];

impl Translator<'_, '_> {
    /// Takes note of a call of a function of the library.
    pub(crate) fn note_library(&mut self, name: &str, span: Span) {
        if FAMILIES.iter().any(|family| name.ends_with(family)) || OTHERS.contains(&name) {
            self.note_world(span);
        }
    }

    /// Takes note that the world outside sees something.
    pub(crate) fn note_world(&mut self, span: Span) {
        if !self.checks(Check::Progress) {
            return;
        }
        let id = match self.world {
            Some(id) => id,
            None => self.declare("world".into(), Type::Bool, Storage::Global, span),
        };
        self.world = Some(id);
        let other = build::not(self.var(id, span), span);
        self.assign(id, other, span);
    }

    /// The variable has a value from the start.
    pub(crate) fn first_world(&self) -> Option<Stmt> {
        let span = Span::default();
        let none = braid_program::ast::Expr::bool(false, span);
        self.world.map(|id| Stmt { kind: StmtKind::Assign(vec![(id, none)]), span })
    }
}
