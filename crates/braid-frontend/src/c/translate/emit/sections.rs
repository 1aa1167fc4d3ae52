//! Atomic sections, from `__VERIFIER_atomic_begin` to `__VERIFIER_atomic_end`: one indivisible step each. Ways that end a section inside
//! of another statement, and then jump away, go on behind it.

use crate::c::translate::{Result, Role, Translator, reject};
use crate::c::tree::{Stmt, StmtKind};
use braid_program::ast::StmtKind as AstStmt;
use braid_program::source::Span;

/// What begins and what ends an atomic section.
pub const BEGIN: [&str; 2] = ["__VERIFIER_atomic_begin", "__ESBMC_atomic_begin"];
pub const END: [&str; 2] = ["__VERIFIER_atomic_end", "__ESBMC_atomic_end"];

impl Translator<'_, '_> {
    /// From `__VERIFIER_atomic_begin` to its end in the same block; gives the place behind it.
    pub(crate) fn atomic_section(&mut self, stmts: &[Stmt], begin: usize) -> Result<usize> {
        let mut depth = 1;
        let end = (begin + 1..stmts.len()).find(|&number| {
            let is_call = |names| i32::from(self.is_call_of(&stmts[number], names));
            depth += is_call(BEGIN) - is_call(END);
            depth == 0
        });
        let span = stmts[begin].span;
        // Without an end here, every way must end the section inside of other statements.
        let inside = end.unwrap_or(stmts.len());
        // In the outermost block of `main`, the section lasts to the end of the program.
        let body = self.unit.functions[self.frame.function.index()].body.as_deref();
        let to_the_end = self.frame.role == Role::Main && body.is_some_and(|body| std::ptr::eq(body, stmts));
        if end.is_none() && !to_the_end && !stmts.last().is_some_and(|last| self.leaves_on_all_ways(last)) {
            return reject(span, "`__VERIFIER_atomic_begin` without `__VERIFIER_atomic_end` in the same block");
        }
        let outer = std::mem::take(&mut self.frame.section_exits);
        self.frame.sections += 1;
        let done = self.atomically(span, |t| t.statements(&stmts[begin + 1..inside]));
        self.frame.sections -= 1;
        let exits = std::mem::replace(&mut self.frame.section_exits, outer);
        done?;
        if !exits.is_empty() {
            let after = self.label();
            self.emit(AstStmt::Goto(vec![after]), span);
            for (label, stmts) in exits {
                self.emit(AstStmt::Label(label), span);
                self.out.extend(stmts);
            }
            self.emit(AstStmt::Label(after), span);
        }
        Ok(inside + usize::from(end.is_some()))
    }

    /// Does every way through the statement end the atomic section?
    fn leaves_on_all_ways(&self, stmt: &Stmt) -> bool {
        let ends = |stmts: &[Stmt]| {
            stmts.iter().any(|stmt| self.is_call_of(stmt, END))
                || stmts.last().is_some_and(|last| self.leaves_on_all_ways(last))
        };
        match &stmt.kind {
            StmtKind::Block(stmts) => ends(stmts),
            StmtKind::If(_, then, Some(other)) => self.leaves_on_all_ways(then) && self.leaves_on_all_ways(other),
            _ => self.is_call_of(stmt, END),
        }
    }

    /// The end of an atomic section inside of another statement: what follows it here jumps away, and comes behind the section.
    pub(crate) fn leave_section(&mut self, rest: &[Stmt], span: Span) -> Result<()> {
        let jumps = |stmt: &Stmt| {
            matches!(stmt.kind, StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue)
        };
        if !rest.iter().any(jumps) || self.frame.atomic != 1 {
            return reject(span, "`__VERIFIER_atomic_end` in another block than `__VERIFIER_atomic_begin`");
        }
        let inside = (std::mem::take(&mut self.frame.atomic), std::mem::take(&mut self.frame.sections));
        let following = self.apart(|t| t.statements(rest));
        (self.frame.atomic, self.frame.sections) = inside;
        let label = self.label();
        self.frame.section_exits.push((label, following?.0));
        self.emit(AstStmt::Goto(vec![label]), span);
        Ok(())
    }
}
