//! Arrays by address that start at index 0, so that arrays of different objects can be compared as wholes.
//!
//! An array that holds one object alone is accessed at `address + stride · i`, with the constant address of that object. The address
//! is subtracted from every index. Nothing else about the program changes.

use super::translate::Place;
use crate::subject::Port;
use braid_logic::{BvOp, Integer};
use braid_program::ast::{Expr, ExprKind, Op, Program, Stmt, StmtKind, Type, VarId};

/// Lets the arrays of ports start at index 0. No two ports lie in one array.
pub fn rebase(program: &mut Program, ports: &mut [Port]) {
    let mut shifts = Vec::new();
    for port in ports {
        if let Place::Array { variable, first, .. } = &mut port.place
            && *first != 0
        {
            shifts.push((*variable, std::mem::take(first)));
        }
    }
    if !shifts.is_empty() {
        program.procedures.iter_mut().for_each(|procedure| stmt(&mut procedure.body, &shifts));
    }
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
fn expr(expr_: &mut Expr, target: Option<VarId>, shifts: &[(VarId, i64)]) {
    match &mut expr_.kind {
        ExprKind::Op(op, operands) => {
            if matches!(op, Op::Select | Op::Store) {
                let array = root(&operands[0]).or(target);
                if let Some((_, shift)) = shifts.iter().find(|(variable, _)| Some(*variable) == array) {
                    expr(&mut operands[1], None, shifts);
                    operands[1] = less(operands[1].clone(), *shift);
                } else {
                    expr(&mut operands[1], None, shifts);
                }
                expr(&mut operands[0], target, shifts);
                operands[2..].iter_mut().for_each(|operand| expr(operand, None, shifts));
            } else {
                // The branches of a conditional array are assigned as well.
                let target = target.filter(|_| *op == Op::Ite);
                operands.iter_mut().for_each(|operand| expr(operand, target, shifts));
            }
        }
        ExprKind::Apply(_, operands) => operands.iter_mut().for_each(|operand| expr(operand, None, shifts)),
        ExprKind::ConstArray(element) => expr(element, None, shifts),
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

fn stmt(stmt_: &mut Stmt, shifts: &[(VarId, i64)]) {
    let mut plain = |test: &mut Expr| expr(test, None, shifts);
    match &mut stmt_.kind {
        StmtKind::Assume(test) | StmtKind::Assert(test) => plain(test),
        StmtKind::Assign(pairs) => {
            pairs.iter_mut().for_each(|(target, value)| expr(value, Some(*target), shifts));
        }
        StmtKind::Seq(items) | StmtKind::Choice(items) | StmtKind::Par(items) => {
            items.iter_mut().for_each(|item| stmt(item, shifts));
        }
        StmtKind::If(test, then, other) => {
            plain(test);
            stmt(then, shifts);
            other.iter_mut().for_each(|other| stmt(other, shifts));
        }
        StmtKind::While(test, body) => {
            plain(test);
            stmt(body, shifts);
        }
        StmtKind::Loop(body) | StmtKind::Atomic(body) | StmtKind::Declare(_, body) => stmt(body, shifts),
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
