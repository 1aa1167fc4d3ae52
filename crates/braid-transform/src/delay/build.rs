//! Expressions and statements of sequential programs, in few words. What is built is well-typed because its parts are.

use braid_program::ast::{Expr, ExprKind, Op, Program, Stmt, StmtKind, Type, VarId};
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

fn op(op: Op, operands: Vec<Expr>, ty: Type) -> Expr {
    let span = operands[0].span;
    Expr { kind: ExprKind::Op(op, operands), ty, span }
}

pub(super) fn not(a: Expr) -> Expr {
    op(Op::Not, vec![a], Type::Bool)
}

pub(super) fn eq(a: Expr, b: Expr) -> Expr {
    op(Op::Eq, vec![a, b], Type::Bool)
}

pub(super) fn le(a: Expr, b: Expr) -> Expr {
    op(Op::Le, vec![a, b], Type::Bool)
}

pub(super) fn ge(a: Expr, b: Expr) -> Expr {
    op(Op::Ge, vec![a, b], Type::Bool)
}

pub(super) fn add(a: Expr, b: Expr) -> Expr {
    op(Op::Add, vec![a, b], Type::Int)
}

pub(super) fn ite(test: Expr, then: Expr, other: Expr) -> Expr {
    let ty = then.ty.clone();
    op(Op::Ite, vec![test, then, other], ty)
}

pub(super) fn select(array: Expr, index: Expr) -> Expr {
    let Type::Array(_, element) = &array.ty else { unreachable!("only arrays are read") };
    let ty = (**element).clone();
    op(Op::Select, vec![array, index], ty)
}

pub(super) fn store(array: Expr, index: Expr, value: Expr) -> Expr {
    let ty = array.ty.clone();
    op(Op::Store, vec![array, index, value], ty)
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
