//! Expressions and statements of sequential programs, in few words. What is built is well-typed because its parts are.

use braid_program::ast::{Expr, ExprKind, Op, Program, Stmt, StmtKind, Type, VarId, build};
use braid_program::source::Span;

pub(super) fn stmt(kind: StmtKind, span: Span) -> Stmt {
    Stmt { kind, span }
}

pub(super) fn seq(items: Vec<Stmt>, span: Span) -> Stmt {
    stmt(StmtKind::Seq(items), span)
}

pub(super) fn assume(test: Expr) -> Stmt {
    let span = test.span;
    stmt(StmtKind::Assume(test), span)
}

pub(super) fn assign(pairs: Vec<(VarId, Expr)>, span: Span) -> Stmt {
    stmt(StmtKind::Assign(pairs), span)
}

pub(super) fn int(value: u32, span: Span) -> Expr {
    Expr::int(i64::from(value), span)
}

pub(super) fn var(program: &Program, id: VarId, span: Span) -> Expr {
    Expr::var(program, id, span)
}

fn op(op: Op, operands: Vec<Expr>) -> Expr {
    let span = operands[0].span;
    build::op(op, operands, span)
}

pub(super) fn not(a: Expr) -> Expr {
    op(Op::Not, vec![a])
}

pub(super) fn eq(a: Expr, b: Expr) -> Expr {
    op(Op::Eq, vec![a, b])
}

pub(super) fn le(a: Expr, b: Expr) -> Expr {
    op(Op::Le, vec![a, b])
}

pub(super) fn ge(a: Expr, b: Expr) -> Expr {
    op(Op::Ge, vec![a, b])
}

pub(super) fn add(a: Expr, b: Expr) -> Expr {
    op(Op::Add, vec![a, b])
}

pub(super) fn ite(test: Expr, then: Expr, other: Expr) -> Expr {
    op(Op::Ite, vec![test, then, other])
}

pub(super) fn select(array: Expr, index: Expr) -> Expr {
    op(Op::Select, vec![array, index])
}

pub(super) fn store(array: Expr, index: Expr, value: Expr) -> Expr {
    op(Op::Store, vec![array, index, value])
}

/// The array over integers that holds one element everywhere.
pub(super) fn everywhere(element: Expr) -> Expr {
    let (ty, span) = (int_array(element.ty.clone()), element.span);
    Expr { kind: ExprKind::ConstArray(Box::new(element)), ty, span }
}

/// The type of arrays over integers.
pub(super) fn int_array(element: Type) -> Type {
    Type::Array(Box::new(Type::Int), Box::new(element))
}

/// The statements of a sequence, and of sequences inside of it.
pub(super) fn flat<'a>(stmt: &'a Stmt, into: &mut Vec<&'a Stmt>) {
    match &stmt.kind {
        StmtKind::Seq(items) => items.iter().for_each(|item| flat(item, into)),
        _ => into.push(stmt),
    }
}
