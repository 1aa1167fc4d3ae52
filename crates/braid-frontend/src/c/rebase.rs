//! Arrays by address that start at index 0, so that arrays of different objects can be compared as wholes.
//!
//! An array that holds one object alone is accessed at `address + stride · i`, with the constant address of that object. The address
//! is subtracted from every index. Nothing else about the program changes.

use super::translate::Place;
use crate::subject::Port;
use braid_logic::{BvOp, Integer};
use braid_program::ast::{Expr, ExprKind, Op, Program, Stmt, StmtKind, Type, VarId};

/// Lets the arrays of ports start at index 0. No two ports lie in one array. Says whether that could be done: not where an
/// array is assigned to another one.
pub fn rebase(program: &mut Program, ports: &mut [Port]) -> bool {
    let mut shifts = Vec::new();
    for port in ports {
        if let Place::Array { variable, first, .. } = &mut port.place
            && *first != 0
        {
            shifts.push((*variable, std::mem::take(first)));
        }
    }
    if mixes(program, &shifts) {
        return false;
    }
    if !shifts.is_empty() {
        program.procedures.iter_mut().for_each(|procedure| rebase_stmt(&mut procedure.body, &shifts));
    }
    true
}

/// Is an array made of another one, and one of them starts elsewhere?
fn mixes(program: &Program, shifts: &[(VarId, i64)]) -> bool {
    let is_shifted = |id: VarId| shifts.iter().any(|(variable, _)| *variable == id);
    let mut open: Vec<&Stmt> = program.procedures.iter().map(|procedure| &procedure.body).collect();
    while let Some(stmt) = open.pop() {
        if let StmtKind::Assign(pairs) = &stmt.kind {
            let is_mixed = |(target, value): &(VarId, Expr)| {
                let array = root(value).filter(|_| matches!(value.ty, Type::Array(..)));
                array.is_some_and(|array| array != *target && (is_shifted(array) || is_shifted(*target)))
            };
            if pairs.iter().any(is_mixed) {
                return true;
            }
        }
        open.extend(stmt.children());
    }
    false
}

/// The array that an expression is made of.
fn root(array: &Expr) -> Option<VarId> {
    match &array.kind {
        ExprKind::Var(id) => Some(*id),
        ExprKind::Op(Op::Store, operands) => root(&operands[0]),
        ExprKind::Op(Op::Ite, operands) => root(&operands[1]).or_else(|| root(&operands[2])),
        _ => None,
    }
}

/// `target` is what the expression is assigned to: the array that its stores go to, if nothing else says so.
fn rebase_expr(whole: &mut Expr, target: Option<VarId>, shifts: &[(VarId, i64)]) {
    match &mut whole.kind {
        ExprKind::Op(op, operands) => {
            if matches!(op, Op::Select | Op::Store) {
                let array = root(&operands[0]).or(target);
                if let Some((_, shift)) = shifts.iter().find(|(variable, _)| Some(*variable) == array) {
                    rebase_expr(&mut operands[1], None, shifts);
                    operands[1] = less(operands[1].clone(), *shift);
                } else {
                    rebase_expr(&mut operands[1], None, shifts);
                }
                rebase_expr(&mut operands[0], target, shifts);
                operands[2..].iter_mut().for_each(|operand| rebase_expr(operand, None, shifts));
            } else {
                // The branches of a conditional array are assigned as well.
                let target = target.filter(|_| *op == Op::Ite);
                operands.iter_mut().for_each(|operand| rebase_expr(operand, target, shifts));
            }
        }
        ExprKind::Apply(_, operands) => operands.iter_mut().for_each(|operand| rebase_expr(operand, None, shifts)),
        ExprKind::ConstArray(inner) | ExprKind::Quantified(_, _, inner) => rebase_expr(inner, None, shifts),
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::BitVec(_) | ExprKind::Var(_) => {}
    }
}

/// An index minus a constant.
fn less(index: Expr, shift: i64) -> Expr {
    let (ty, span) = (index.ty.clone(), index.span);
    let (op, constant) = match ty {
        Type::BitVec(width) => {
            // What is added to move back, modulo 2 to the width.
            let whole = (0..width).fold(Integer::from(1), |power, _| power * Integer::from(2));
            (Op::Bv(BvOp::Add), ExprKind::BitVec(whole - Integer::from(shift)))
        }
        _ => (Op::Add, ExprKind::Int(Integer::from(-shift))),
    };
    let constant = Expr { kind: constant, ty: ty.clone(), span };
    Expr { kind: ExprKind::Op(op, vec![index, constant]), ty, span }
}

fn rebase_stmt(whole: &mut Stmt, shifts: &[(VarId, i64)]) {
    let plain = |test: &mut Expr| rebase_expr(test, None, shifts);
    match &mut whole.kind {
        StmtKind::Assume(test) | StmtKind::Assert(test) => plain(test),
        StmtKind::Assign(pairs) => {
            pairs.iter_mut().for_each(|(target, value)| rebase_expr(value, Some(*target), shifts));
        }
        StmtKind::Seq(items) | StmtKind::Choice(items) | StmtKind::Par(items) => {
            items.iter_mut().for_each(|item| rebase_stmt(item, shifts));
        }
        StmtKind::If(test, then, other) => {
            plain(test);
            rebase_stmt(then, shifts);
            other.iter_mut().for_each(|other| rebase_stmt(other, shifts));
        }
        StmtKind::While(test, body) => {
            plain(test);
            rebase_stmt(body, shifts);
        }
        StmtKind::Loop(body) | StmtKind::Atomic(body) | StmtKind::Declare(_, body) => rebase_stmt(body, shifts),
        StmtKind::Call { arguments, .. } | StmtKind::Async { arguments, .. } => arguments.iter_mut().for_each(plain),
        StmtKind::Fork { identity, arguments, .. } => {
            plain(identity);
            arguments.iter_mut().for_each(plain);
        }
        StmtKind::Join { identity, .. } => plain(identity),
        StmtKind::Wait { handle, .. } => plain(handle),
        StmtKind::Havoc(_) | StmtKind::Return | StmtKind::Label(_) | StmtKind::Goto(_) => {}
    }
}
