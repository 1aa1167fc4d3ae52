//! Arrays by address that start at index 0, so that arrays of different objects can be compared as wholes.
//!
//! An array that holds one object alone is accessed at `address + stride · i`, with the constant address of that object. The address
//! is subtracted from every index. Nothing else about the program changes.

use braid_logic::{BvOp, Integer};
use braid_program::ast::build::power;
use braid_program::ast::{Expr, ExprKind, Fold, Op, Program, Stmt, StmtKind, Type, VarId, fold_expr, fold_stmt};
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
        let mut shifted = Shifted { shifts: &shifts, target: None };
        program.procedures.iter_mut().for_each(|procedure| procedure.body = shifted.stmt(&procedure.body));
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

/// Moves the indices of arrays.
struct Shifted<'a> {
    shifts: &'a [(VarId, i64)],
    /// What the expression at hand is assigned to: the array that its stores go to, if nothing else says so.
    target: Option<VarId>,
}

impl Fold for Shifted<'_> {
    fn expr(&mut self, expr: &Expr) -> Expr {
        let target = self.target;
        let ExprKind::Op(op @ (Op::Select | Op::Store | Op::Ite), operands) = &expr.kind else {
            self.target = None;
            let expr = fold_expr(self, expr);
            self.target = target;
            return expr;
        };
        let array = if *op == Op::Ite { None } else { root(&operands[0]).or(target) };
        let mut operand = |(position, operand): (usize, &Expr)| {
            // The array of a store is assigned as well, and so are the branches of a conditional array.
            self.target = target.filter(|_| *op == Op::Ite || position == 0);
            self.expr(operand)
        };
        let mut operands: Vec<Expr> = operands.iter().enumerate().map(&mut operand).collect();
        self.target = target;
        if let Some((_, shift)) = self.shifts.iter().find(|(variable, _)| Some(*variable) == array) {
            operands[1] = less(operands[1].clone(), *shift);
        }
        Expr { kind: ExprKind::Op(*op, operands), ..expr.clone() }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        let StmtKind::Assign(pairs) = &stmt.kind else { return fold_stmt(self, stmt) };
        let mut pair = |(target, value): &(VarId, Expr)| {
            self.target = Some(*target);
            (*target, self.expr(value))
        };
        let pairs = pairs.iter().map(&mut pair).collect();
        self.target = None;
        Stmt { kind: StmtKind::Assign(pairs), span: stmt.span }
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
