//! Conditions: C's scalars as formulas, without a detour over 0 and 1, and with C's short circuits.

use crate::c::translate::{Bound, Ints, Result, Scalar, Stop, Translator, block, reject};
use crate::c::tree::{CompareOp, Expr as TreeExpr, ExprKind, VariableId};
use braid_logic::Integer;
use braid_program::ast::build::{self, and, not, or};
use braid_program::ast::{Expr, ExprKind as AstExpr, Stmt, StmtKind, Type};
use braid_program::source::Span;
use rustc_hash::FxHashMap;

impl Translator<'_, '_> {
    /// Does the expression differ from zero? And does the formula read shared memory?
    pub(crate) fn condition(&mut self, expr: &TreeExpr) -> Result<(Expr, bool)> {
        let span = expr.span;
        match &expr.kind {
            // The address of a place is not null.
            ExprKind::Load(_) if matches!(self.bound(expr), Some(Bound::Place(..))) => {
                Ok((Expr::bool(true, span), false))
            }
            ExprKind::Not(inner) => {
                let (formula, reads) = self.condition(inner)?;
                Ok((not(formula, span), reads))
            }
            ExprKind::And(a, b) => self.junction(a, b, true, span),
            ExprKind::Or(a, b) => self.junction(a, b, false, span),
            ExprKind::Compare(op, a, b) => {
                let scalar = match (self.scalar(&a.ty), self.scalar(&b.ty)) {
                    (Some(scalar), Some(_)) if self.drops(scalar) => return Err(Stop::NeedsBits(span)),
                    (Some(scalar), Some(_)) => scalar,
                    _ => return reject(span, "a comparison of values that are not scalar"),
                };
                let other = self.scalar(&b.ty).unwrap_or(scalar);
                let (a, b) = self.both(a, b)?;
                let b = self.ints.convert(other, scalar, b, span);
                let reads = a.reads || b.reads;
                // What the ranges decide needs no formula.
                let decided = match op {
                    CompareOp::Less if a.range.high < b.range.low => Some(true),
                    CompareOp::Less if a.range.low >= b.range.high => Some(false),
                    CompareOp::LessEqual if a.range.high <= b.range.low => Some(true),
                    CompareOp::LessEqual if a.range.low > b.range.high => Some(false),
                    CompareOp::Greater if a.range.low > b.range.high => Some(true),
                    CompareOp::Greater if a.range.high <= b.range.low => Some(false),
                    CompareOp::GreaterEqual if a.range.low >= b.range.high => Some(true),
                    CompareOp::GreaterEqual if a.range.high < b.range.low => Some(false),
                    _ => None,
                };
                // Pointers may be outside of their range, where arithmetic has moved them.
                if let Some(decided) =
                    decided.filter(|_| matches!(scalar, Scalar::Int { signed: false, .. } | Scalar::Bool))
                    && self.ints == Ints::Math
                {
                    return Ok((Expr::bool(decided, span), false));
                }
                // A truth value compared with 0 or 1 is that truth value.
                if let (CompareOp::Equal | CompareOp::NotEqual, Some(constant)) = (op, build::numeral(&b.expr))
                    && matches!(&a.expr.kind, AstExpr::Op(braid_program::ast::Op::Ite, _))
                    && constant.is_zero()
                {
                    let truth = self.ints.truth(scalar, &a, span);
                    let negated = *op == CompareOp::Equal;
                    return Ok((if negated { not(truth, span) } else { truth }, reads));
                }
                Ok((self.ints.compare(*op, scalar, a.expr, b.expr, span), reads))
            }
            ExprKind::Cast(inner) if self.keeps_truth(expr, inner) => self.condition(inner),
            ExprKind::Comma(first, second) => {
                self.discard(first)?;
                self.condition(second)
            }
            _ => {
                let Some(scalar) = self.scalar(&expr.ty) else {
                    return reject(span, "a condition that is not a scalar");
                };
                if self.drops(scalar) {
                    return Err(Stop::NeedsBits(span));
                }
                let value = self.value(expr)?;
                Ok((self.ints.truth(scalar, &value, span), value.reads))
            }
        }
    }

    /// Does a conversion make no zero out of anything else?
    fn keeps_truth(&self, to: &TreeExpr, from: &TreeExpr) -> bool {
        match (self.scalar(&from.ty), self.scalar(&to.ty)) {
            (Some(from), Some(to)) if from.is_float() || to.is_float() => from.is_float() && to == Scalar::Bool,
            (None, _) | (_, None) => false,
            (_, Some(Scalar::Bool)) => true,
            (Some(from), Some(to)) => from.bits() <= to.bits(),
        }
    }

    fn junction(&mut self, a: &TreeExpr, b: &TreeExpr, all: bool, span: Span) -> Result<(Expr, bool)> {
        let (left, left_reads) = self.condition(a)?;
        if let AstExpr::Bool(value) = left.kind {
            // The other operand counts only if this one does not decide.
            return if value == all { self.condition(b) } else { Ok((left, left_reads)) };
        }
        let before = self.frame.constants.clone();
        let (stmts, (right, right_reads)) = self.apart(|t| t.condition(b))?;
        self.join_constants(&before);
        if stmts.is_empty() && !(left_reads && right_reads) {
            let both = if all { and(left, right, span) } else { or(left, right, span) };
            return Ok((both, left_reads || right_reads));
        }
        let temporary = self.temporary(Type::Bool, span);
        self.assign(temporary, left, span);
        let mut then = stmts;
        then.push(Stmt { kind: StmtKind::Assign(vec![(temporary, right)]), span });
        let known = self.var(temporary, span);
        let test = if all { known.clone() } else { not(known.clone(), span) };
        self.emit(StmtKind::If(test, block(then, span), None), span);
        Ok((known, false))
    }

    /// Two ways meet: only what is the same on both stays known.
    pub(crate) fn join_constants(&mut self, other: &FxHashMap<VariableId, Integer>) {
        self.frame.constants.retain(|variable, value| other.get(variable) == Some(value));
    }
}
