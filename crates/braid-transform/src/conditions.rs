//! The negation of a property as conjuncts, so that each is assumed as early as it can be.
//!
//! Two arrays differ at some place: where a conclusion says that they are equal, its negation names the place by a new
//! variable. That says it for the elements which C's arrays have, and leaves out what lies beyond.

use crate::formula::{Binary, FormulaNode, NodeKind};
use crate::typing::{Scope, Typed, Typing, op};
use braid_logic::{BvOp, Integer};
use braid_program::Diagnostic;
use braid_program::ast::{Expr, ExprKind, Op, Storage, Type, VarId, Variable};
use braid_program::source::Span;

impl Scope<'_> {
    /// The conjuncts of a formula or of its negation, and whether each depends on what runs have done.
    pub fn conjuncts(&mut self, node: &FormulaNode, negated: bool, out: &mut Vec<(Expr, bool)>) -> Typing<()> {
        match (&node.kind, negated) {
            (NodeKind::Not(inner), _) => self.conjuncts(inner, !negated, out),
            (NodeKind::Binary(Binary::And, left, right), false) | (NodeKind::Binary(Binary::Or, left, right), true) => {
                self.conjuncts(left, negated, out)?;
                self.conjuncts(right, negated, out)
            }
            (NodeKind::Binary(Binary::Implies, left, right), true) => {
                self.conjuncts(left, false, out)?;
                self.conjuncts(right, true, out)
            }
            _ => {
                let condition = self.condition(node, negated)?;
                out.push(condition);
                Ok(())
            }
        }
    }

    /// A formula or its negation.
    fn condition(&mut self, node: &FormulaNode, negated: bool) -> Typing<(Expr, bool)> {
        let span = node.span;
        if let NodeKind::Not(inner) = &node.kind {
            return self.condition(inner, !negated);
        }
        if let NodeKind::Binary(binary, left, right) = &node.kind {
            let connective = match (binary, negated) {
                (Binary::And, false) | (Binary::Or, true) => Some((Op::And, negated)),
                (Binary::Or, false) | (Binary::And, true) => Some((Op::Or, negated)),
                (Binary::Implies, false) => Some((Op::Or, true)),
                (Binary::Implies, true) => Some((Op::And, false)),
                _ => None,
            };
            if let Some((connective, left_negated)) = connective {
                let (left, right) = (self.condition(left, left_negated)?, self.condition(right, negated)?);
                return Ok((op(connective, vec![left.0, right.0], span)?, left.1 || right.1));
            }
            if let Binary::Equal | Binary::Different = binary {
                let (left, right) = (self.typed(left)?, self.typed(right)?);
                if matches!((&left.expr.ty, &right.expr.ty), (Type::Array(..), Type::Array(..))) {
                    let differ = (*binary == Binary::Different) != negated;
                    return self.arrays(left, right, differ, span);
                }
                let after = left.after || right.after;
                let compared = self.binary(*binary, left, right, span)?;
                return Ok((negation(compared, negated, span)?, after));
            }
        }
        let Typed { expr, after, .. } = self.typed(node)?;
        if expr.ty != Type::Bool {
            let error = Diagnostic::new(span, format!("this should be a formula, but it is of type {}", expr.ty));
            return Err(error.hint("a number becomes a formula by a comparison, such as `!= 0`"));
        }
        Ok((negation(expr, negated, span)?, after))
    }

    /// That two arrays are equal, or differ.
    fn arrays(&mut self, left: Typed, right: Typed, differ: bool, span: Span) -> Typing<(Expr, bool)> {
        let after = left.after || right.after;
        let is_same = left.expr.ty == right.expr.ty && left.look.layout == right.look.layout;
        if !is_same {
            return Err(Diagnostic::new(span, "these arrays have different types, or different numbers of elements"));
        }
        if !differ {
            return Ok((op(Op::Eq, vec![left.expr, right.expr], span)?, after));
        }
        let Type::Array(index_type, _) = left.expr.ty.clone() else { unreachable!("both are arrays") };
        let layout = left.look.layout;
        let ty = if layout.is_some() { Type::Int } else { *index_type.clone() };
        let witness = self.fresh("at", ty, span);
        let witness = self.var(witness, span);
        let mut conjuncts = Vec::new();
        let at = match layout {
            None => witness,
            Some(layout) => {
                let int = |value: i64| Expr::int(Integer::from(value), span);
                conjuncts.push(op(Op::Le, vec![int(0), witness.clone()], span)?);
                if let Some(length) = layout.length {
                    conjuncts.push(op(Op::Lt, vec![witness.clone(), int(length as i64)], span)?);
                }
                self.raw_index(layout, witness, &index_type, span)?
            }
        };
        let left = self.select(left, at.clone(), after, span)?;
        let right = self.select(right, at, after, span)?;
        conjuncts.push(op(Op::Distinct, vec![left.expr, right.expr], span)?);
        Ok((op(Op::And, conjuncts, span)?, after))
    }

    /// A new variable that no run writes.
    pub fn fresh(&mut self, name: &str, ty: Type, span: Span) -> VarId {
        let taken = |name: &str| self.program.variables.iter().any(|variable| variable.name == name);
        let mut unique = name.to_owned();
        let mut number = 1;
        while taken(&unique) {
            number += 1;
            unique = format!("{name}{number}");
        }
        self.program.variables.push(Variable { name: unique, ty, storage: Storage::Global, span });
        VarId(self.program.variables.len() as u32 - 1)
    }
}

/// The negation, if it is wanted; of comparisons the opposite one.
fn negation(expr: Expr, negated: bool, span: Span) -> Typing<Expr> {
    if !negated {
        return Ok(expr);
    }
    if let ExprKind::Op(operator, operands) = &expr.kind {
        let opposite = match operator {
            Op::Eq if operands.len() == 2 => Some(Op::Distinct),
            Op::Distinct if operands.len() == 2 => Some(Op::Eq),
            Op::Lt => Some(Op::Ge),
            Op::Le => Some(Op::Gt),
            Op::Gt => Some(Op::Le),
            Op::Ge => Some(Op::Lt),
            _ => None,
        };
        if let Some(opposite) = opposite {
            return op(opposite, operands.clone(), span);
        }
        if let Op::Bv(bits @ (BvOp::Slt | BvOp::Sle | BvOp::Ult | BvOp::Ule)) = operator {
            let opposite = match bits {
                BvOp::Slt => BvOp::Sle,
                BvOp::Sle => BvOp::Slt,
                BvOp::Ult => BvOp::Ule,
                _ => BvOp::Ult,
            };
            return op(Op::Bv(opposite), operands.iter().rev().cloned().collect(), span);
        }
    }
    op(Op::Not, vec![expr], span)
}
