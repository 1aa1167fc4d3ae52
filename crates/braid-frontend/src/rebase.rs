//! Arrays by address that start at index 0, so that arrays of different objects can be compared as wholes.
//!
//! An array that holds one object alone is accessed at `address + stride · i`, with the constant address of that object. The address
//! is subtracted from every index. Nothing else about the program changes.

use braid_logic::{BvOp, Integer};
use braid_program::ast::build::power;
use braid_program::ast::{Expr, ExprKind, Op, Program, Stmt, StmtKind, Type, VarId};
use braid_program::{Place, Port};

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
    let is_mixed = |(target, value): &(VarId, Expr)| {
        let array = root(value).filter(|_| matches!(value.ty, Type::Array(..)));
        array.is_some_and(|array| array != *target && (is_shifted(array) || is_shifted(*target)))
    };
    program.statements().any(|stmt| matches!(&stmt.kind, StmtKind::Assign(pairs) if pairs.iter().any(is_mixed)))
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
    // The array of a store is assigned as well, and so are the branches of a conditional array.
    let (inherits, is_access): (fn(usize) -> bool, bool) = match &whole.kind {
        ExprKind::Op(Op::Select | Op::Store, _) => (|position| position == 0, true),
        ExprKind::Op(Op::Ite, _) => (|_| true, false),
        _ => (|_| false, false),
    };
    let operands = whole.children_mut();
    let array = if is_access { root(&operands[0]).or(target) } else { None };
    for (position, operand) in operands.iter_mut().enumerate() {
        rebase_expr(operand, target.filter(|_| inherits(position)), shifts);
    }
    if let Some((_, shift)) = shifts.iter().find(|(variable, _)| Some(*variable) == array) {
        operands[1] = less(operands[1].clone(), *shift);
    }
}

/// An index minus a constant.
fn less(index: Expr, shift: i64) -> Expr {
    let (ty, span) = (index.ty.clone(), index.span);
    let (op, constant) = match ty {
        // What is added to move back, modulo 2 to the width.
        Type::BitVec(width) => (Op::Bv(BvOp::Add), ExprKind::BitVec(power(width) - Integer::from(shift))),
        _ => (Op::Add, ExprKind::Int(Integer::from(-shift))),
    };
    let constant = Expr { kind: constant, ty: ty.clone(), span };
    Expr { kind: ExprKind::Op(op, vec![index, constant]), ty, span }
}

fn rebase_stmt(whole: &mut Stmt, shifts: &[(VarId, i64)]) {
    whole.for_each_expr_mut(&mut |expr, target| rebase_expr(expr, target, shifts));
    whole.children_mut().into_iter().for_each(|inner| rebase_stmt(inner, shifts));
}
