//! Which of the two text forms a program prints in.

use super::canonical;
use crate::ast::{Claim, Expr, ExprKind, Op, Program, Stmt, StmtKind, Storage, Type};
use crate::source::Sources;

/// The text forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Weaver's language, `.wvr`.
    Weaver,
    /// Braid's own, `.braid`.
    Braid,
}

impl Dialect {
    /// Weaver, if the program came from a `.wvr` file (or from no file) and can still be said in that language; else Braid.
    pub fn of(program: &Program) -> Dialect {
        Dialect::with_canonical(program, &canonical(program))
    }

    /// The same, with the canonical form of the program at hand.
    pub(super) fn with_canonical(program: &Program, canonical: &Program) -> Dialect {
        let from_nowhere = program.sources == Sources::default();
        let file = program.procedure(program.main).span.file;
        let from_weaver = from_nowhere || program.sources.file(file).name.ends_with(".wvr");
        if from_weaver && fits_weaver(canonical) { Dialect::Weaver } else { Dialect::Braid }
    }

    /// The end of the names of files in this dialect, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Dialect::Weaver => "wvr",
            Dialect::Braid => "braid",
        }
    }
}

fn fits_weaver(program: &Program) -> bool {
    program.claim == Claim::NoCompleteExecution
        && program.procedures.len() == 1
        && program.variables.iter().all(|variable| variable.storage == Storage::Global && type_fits(&variable.ty))
        && program
            .functions
            .iter()
            .all(|function| type_fits(&function.result) && function.arguments.iter().all(type_fits))
        && program.seeds.iter().all(expr_fits)
        && stmt_fits(&program.procedure(program.main).body)
}

fn type_fits(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Int => true,
        Type::Array(index, element) => type_fits(index) && type_fits(element),
        Type::BitVec(_) | Type::Named(_) => false,
    }
}

fn expr_fits(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Var(_) => true,
        ExprKind::Op(Op::Bv(_) | Op::Div | Op::Mod, _)
        | ExprKind::BitVec(_)
        | ExprKind::ConstArray(_)
        | ExprKind::Quantified(..) => false,
        ExprKind::Op(_, operands) | ExprKind::Apply(_, operands) => operands.iter().all(expr_fits),
    }
}

fn stmt_fits(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Assume(test) => expr_fits(test),
        StmtKind::Assign(pairs) => matches!(&pairs[..], [(_, value)] if expr_fits(value)),
        StmtKind::Havoc(_) => true,
        StmtKind::Seq(items) | StmtKind::Choice(items) | StmtKind::Par(items) => items.iter().all(stmt_fits),
        StmtKind::If(test, then, other) => expr_fits(test) && stmt_fits(then) && other.as_deref().is_none_or(stmt_fits),
        StmtKind::While(test, body) => expr_fits(test) && stmt_fits(body),
        StmtKind::Loop(body) | StmtKind::Declare(_, body) => stmt_fits(body),
        StmtKind::Atomic(body) => atomic_fits(body),
        _ => false,
    }
}

fn atomic_fits(body: &Stmt) -> bool {
    let StmtKind::Seq(items) = &body.kind else { return false };
    items.iter().all(|item| match &item.kind {
        StmtKind::Assume(_) | StmtKind::Assign(_) | StmtKind::Havoc(_) | StmtKind::Atomic(_) => stmt_fits(item),
        _ => false,
    })
}
