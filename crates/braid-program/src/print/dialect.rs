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
    expr.all().all(|expr| match &expr.kind {
        ExprKind::Op(op, _) => !matches!(op, Op::Bv(_) | Op::Div | Op::Mod),
        ExprKind::BitVec(_) | ExprKind::ConstArray(_) | ExprKind::Quantified(..) => false,
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Var(_) | ExprKind::Apply(..) => true,
    })
}

fn stmt_fits(stmt: &Stmt) -> bool {
    let fits = match &stmt.kind {
        StmtKind::Assign(pairs) => pairs.len() == 1,
        StmtKind::Atomic(body) => return atomic_fits(body),
        StmtKind::Assume(_) | StmtKind::Havoc(_) | StmtKind::Seq(_) | StmtKind::Choice(_) | StmtKind::Par(_) => true,
        StmtKind::If(..) | StmtKind::While(..) | StmtKind::Loop(_) | StmtKind::Declare(..) => true,
        _ => false,
    };
    fits && stmt.exprs().into_iter().all(expr_fits) && stmt.children().into_iter().all(stmt_fits)
}

fn atomic_fits(body: &Stmt) -> bool {
    let StmtKind::Seq(items) = &body.kind else { return false };
    items.iter().all(|item| match &item.kind {
        StmtKind::Assume(_) | StmtKind::Assign(_) | StmtKind::Havoc(_) | StmtKind::Atomic(_) => stmt_fits(item),
        _ => false,
    })
}
