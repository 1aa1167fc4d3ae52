//! Programs rebuilt part by part: a [`Fold`] says what becomes of each part, and the rest is done here once.

use super::{Expr, ExprKind, FunId, LabelId, ProcId, Stmt, StmtKind, VarId};
use crate::source::Span;

/// What becomes of the parts of a program. By default all stays as it is.
pub trait Fold {
    /// A variable that is read, written or declared.
    fn var(&mut self, id: VarId) -> VarId {
        id
    }

    /// A function that is applied.
    fn function(&mut self, id: FunId) -> FunId {
        id
    }

    /// A procedure that is called or started.
    fn procedure(&mut self, id: ProcId) -> ProcId {
        id
    }

    /// A label, and where it is named.
    fn label(&mut self, id: LabelId) -> LabelId {
        id
    }

    /// A place in the source.
    fn span(&mut self, span: Span) -> Span {
        span
    }

    /// An expression; [`fold_expr`] does what is usual.
    fn expr(&mut self, expr: &Expr) -> Expr {
        fold_expr(self, expr)
    }

    /// A statement; [`fold_stmt`] does what is usual.
    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        fold_stmt(self, stmt)
    }
}

fn vars(fold: &mut (impl Fold + ?Sized), ids: &[VarId]) -> Vec<VarId> {
    ids.iter().map(|&id| fold.var(id)).collect()
}

fn exprs(fold: &mut (impl Fold + ?Sized), exprs: &[Expr]) -> Vec<Expr> {
    exprs.iter().map(|expr| fold.expr(expr)).collect()
}

fn stmts(fold: &mut (impl Fold + ?Sized), stmts: &[Stmt]) -> Vec<Stmt> {
    stmts.iter().map(|stmt| fold.stmt(stmt)).collect()
}

/// The expression with what becomes of its parts.
pub fn fold_expr(fold: &mut (impl Fold + ?Sized), expr: &Expr) -> Expr {
    let kind = match &expr.kind {
        ExprKind::Var(id) => ExprKind::Var(fold.var(*id)),
        ExprKind::Op(op, operands) => ExprKind::Op(*op, exprs(fold, operands)),
        ExprKind::Apply(id, arguments) => ExprKind::Apply(fold.function(*id), exprs(fold, arguments)),
        ExprKind::ConstArray(element) => ExprKind::ConstArray(Box::new(fold.expr(element))),
        ExprKind::Quantified(quantifier, bound, body) => {
            ExprKind::Quantified(*quantifier, vars(fold, bound), Box::new(fold.expr(body)))
        }
        constant @ (ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::BitVec(_)) => constant.clone(),
    };
    Expr { kind, ty: expr.ty.clone(), span: fold.span(expr.span) }
}

/// The statement with what becomes of its parts.
pub fn fold_stmt(fold: &mut (impl Fold + ?Sized), stmt: &Stmt) -> Stmt {
    let kind = match &stmt.kind {
        StmtKind::Assume(test) => StmtKind::Assume(fold.expr(test)),
        StmtKind::Await(test, release) => {
            StmtKind::Await(fold.expr(test), Box::new(release.map(|identity| fold.expr(identity))))
        }
        StmtKind::Assert(check, test) => StmtKind::Assert(*check, fold.expr(test)),
        StmtKind::Unmodelled(reason) => StmtKind::Unmodelled(reason.clone()),
        StmtKind::Assign(pairs) => {
            StmtKind::Assign(pairs.iter().map(|(target, value)| (fold.var(*target), fold.expr(value))).collect())
        }
        StmtKind::Havoc(targets) => StmtKind::Havoc(vars(fold, targets)),
        StmtKind::Seq(items) => StmtKind::Seq(stmts(fold, items)),
        StmtKind::Choice(items) => StmtKind::Choice(stmts(fold, items)),
        StmtKind::Par(items) => StmtKind::Par(stmts(fold, items)),
        StmtKind::If(test, then, other) => {
            let (test, then) = (fold.expr(test), Box::new(fold.stmt(then)));
            StmtKind::If(test, then, other.as_ref().map(|other| Box::new(fold.stmt(other))))
        }
        StmtKind::While(test, body) => StmtKind::While(fold.expr(test), Box::new(fold.stmt(body))),
        StmtKind::Loop(body) => StmtKind::Loop(Box::new(fold.stmt(body))),
        StmtKind::Atomic(body) => StmtKind::Atomic(Box::new(fold.stmt(body))),
        StmtKind::Declare(id, body) => StmtKind::Declare(fold.var(*id), Box::new(fold.stmt(body))),
        StmtKind::Call { results, procedure, arguments } => {
            let (results, procedure) = (vars(fold, results), fold.procedure(*procedure));
            StmtKind::Call { results, procedure, arguments: exprs(fold, arguments) }
        }
        StmtKind::Return => StmtKind::Return,
        StmtKind::Fork { identity, procedure, arguments } => {
            let (identity, procedure) = (fold.expr(identity), fold.procedure(*procedure));
            StmtKind::Fork { identity, procedure, arguments: exprs(fold, arguments) }
        }
        StmtKind::Join { results, identity } => {
            StmtKind::Join { results: vars(fold, results), identity: fold.expr(identity) }
        }
        StmtKind::Async { handle, procedure, arguments } => {
            let (handle, procedure) = (handle.map(|id| fold.var(id)), fold.procedure(*procedure));
            StmtKind::Async { handle, procedure, arguments: exprs(fold, arguments) }
        }
        StmtKind::Wait { results, handle } => {
            StmtKind::Wait { results: vars(fold, results), handle: fold.expr(handle) }
        }
        StmtKind::Label(label) => StmtKind::Label(fold.label(*label)),
        StmtKind::Goto(labels) => StmtKind::Goto(labels.iter().map(|&label| fold.label(label)).collect()),
    };
    Stmt { kind, span: fold.span(stmt.span) }
}
