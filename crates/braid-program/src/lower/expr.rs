//! Expressions to terms: every variable is replaced by the copy that the running instance has.

use super::threads::{Frame, Lowering};
use crate::ast::{Expr, ExprKind, Op, Type};
use braid_logic::{Sort, SortKind, Term, TermPool};

/// The sort of a type.
pub(super) fn sort(pool: &TermPool, ty: &Type) -> Sort {
    match ty {
        Type::Bool => Sort::BOOL,
        Type::Int => Sort::INT,
        Type::BitVec(width) => pool.sort(SortKind::BitVec(*width)),
        Type::Array(index, element) => pool.array_sort(sort(pool, index), sort(pool, element)),
        Type::Named(name) => pool.sort(SortKind::Uninterpreted(name.as_str().into())),
    }
}

impl Lowering<'_, '_> {
    /// The term of an expression in the given frame.
    pub(super) fn term(&self, frame: &Frame, expr: &Expr) -> Term {
        let pool = self.pool;
        match &expr.kind {
            ExprKind::Bool(value) => pool.bool(*value),
            ExprKind::Int(value) => pool.int(value.clone()),
            ExprKind::BitVec(value) => {
                let width = pool.bv_width(sort(pool, &expr.ty)).expect("a bit-vector numeral has a bit-vector type");
                pool.bv_value(value, width)
            }
            ExprKind::Var(id) if self.program.procedure(frame.procedure).identity == Some(*id) => frame.identity,
            ExprKind::Var(id) => pool.of_var(self.var(frame, *id)),
            ExprKind::Op(op, operands) => {
                let operands: Vec<Term> = operands.iter().map(|operand| self.term(frame, operand)).collect();
                self.operation(*op, &operands)
            }
            ExprKind::Apply(id, arguments) => {
                let arguments: Vec<Term> = arguments.iter().map(|argument| self.term(frame, argument)).collect();
                pool.apply(self.functions[id.index()], &arguments)
            }
            ExprKind::ConstArray(element) => pool.const_array(sort(pool, &expr.ty), self.term(frame, element)),
            ExprKind::Quantified(quantifier, bound, body) => {
                let bound: Vec<_> = bound.iter().map(|&id| self.var(frame, id)).collect();
                pool.quantify(*quantifier, &bound, self.term(frame, body))
            }
        }
    }

    fn operation(&self, op: Op, operands: &[Term]) -> Term {
        let pool = self.pool;
        let all = || operands.iter().copied();
        match op {
            Op::Not => pool.not(operands[0]),
            Op::And => pool.and(all()),
            Op::Or => pool.or(all()),
            Op::Implies => all().rev().reduce(|rest, premise| pool.implies(premise, rest)).unwrap_or(Term::TRUE),
            Op::Eq => pool.and(operands.windows(2).map(|pair| pool.eq(pair[0], pair[1]))),
            Op::Distinct => pool.distinct(operands),
            Op::Ite => pool.ite(operands[0], operands[1], operands[2]),
            Op::Add => pool.add(all()),
            Op::Sub if operands.len() == 1 => pool.neg(operands[0]),
            Op::Sub => all().reduce(|a, b| pool.sub(a, b)).unwrap_or_else(|| pool.int(0)),
            Op::Mul => all().reduce(|a, b| pool.mul(a, b)).unwrap_or_else(|| pool.int(1)),
            Op::Div => pool.div(operands[0], operands[1]),
            Op::Mod => pool.modulo(operands[0], operands[1]),
            Op::Lt => pool.lt(operands[0], operands[1]),
            Op::Le => pool.le(operands[0], operands[1]),
            Op::Gt => pool.gt(operands[0], operands[1]),
            Op::Ge => pool.ge(operands[0], operands[1]),
            Op::Select => pool.select(operands[0], operands[1]),
            Op::Store => pool.store(operands[0], operands[1], operands[2]),
            Op::Bv(op) => pool.bv(op, operands),
        }
    }
}
