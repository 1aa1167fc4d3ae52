//! Which functions may end without the value that they are to give: by their last brace, or by a `return` that gives none.
//!
//! *Invariant*: a function that is not among them gives a value whenever it ends. One that is among them may do so, too.

use crate::c::primitives::Primitive;
use crate::c::translate::{Met, primitive_of, walk};
use crate::c::tree::{Callee, Expr, ExprKind, FunctionId, Stmt, StmtKind, Type, Unit};
use rustc_hash::FxHashSet;

/// The functions among some that may end without a value.
pub fn valueless(unit: &Unit, functions: &[FunctionId]) -> FxHashSet<FunctionId> {
    let lacks = |id: &&FunctionId| {
        let function = &unit.functions[id.index()];
        let body = function.body.as_deref().unwrap_or_default();
        let is_bare = |met: Met<'_>| matches!(met, Met::Stmt(Stmt { kind: StmtKind::Return(None), .. }));
        let ends = Endings { unit };
        let gives = function.ty.result != Type::Void && !function.inline;
        gives && (ends.after_all(body) || body.iter().any(|stmt| Met::Stmt(stmt).any(&is_bare)))
    };
    functions.iter().filter(lacks).copied().collect()
}

/// Whether an execution may get behind a statement; where that is not clear, it may.
struct Endings<'u> {
    unit: &'u Unit,
}

impl Endings<'_> {
    fn after_all(&self, stmts: &[Stmt]) -> bool {
        stmts.last().is_none_or(|last| self.after(last))
    }

    fn after(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => false,
            StmtKind::Block(stmts) => self.after_all(stmts),
            StmtKind::If(_, then, Some(other)) => self.after(then) || self.after(other),
            StmtKind::While(test, body) | StmtKind::DoWhile(body, test) => !is_true(test) || breaks(body),
            StmtKind::For { test, body, .. } => test.as_ref().is_some_and(|test| !is_true(test)) || breaks(body),
            StmtKind::Switch(_, body) => !has_default(body) || breaks(body) || self.after(body),
            StmtKind::Case { then, .. } | StmtKind::Default(then) | StmtKind::Label(_, then) => self.after(then),
            StmtKind::Expr(expr) => !self.never_returns(expr),
            StmtKind::If(_, _, None) | StmtKind::Declare(..) | StmtKind::Skip => true,
        }
    }

    fn never_returns(&self, expr: &Expr) -> bool {
        let ExprKind::Call(Callee::Direct(id), _) = &expr.kind else { return false };
        let function = &self.unit.functions[id.index()];
        let ends = matches!(primitive_of(function), Some(Primitive::Stop | Primitive::Error | Primitive::ExitThread));
        ends || function.attributes.noreturn
    }
}

fn is_true(test: &Expr) -> bool {
    matches!(&test.kind, ExprKind::Int(value) if !value.is_zero())
}

fn breaks(body: &Stmt) -> bool {
    Met::Stmt(body).any(&|met| matches!(met, Met::Stmt(Stmt { kind: StmtKind::Break, .. })))
}

/// Has the `switch` with this body a `default` of its own?
fn has_default(body: &Stmt) -> bool {
    match &body.kind {
        StmtKind::Default(_) => true,
        StmtKind::Switch(..) => false,
        _ => walk::inner(body).any(has_default),
    }
}
