//! C's integer arithmetic on mathematical integers or on bit-vectors.
//!
//! Invariant: every value lies in the range of its C type. On mathematical integers, unsigned arithmetic and all conversions wrap
//! around exactly; signed arithmetic is taken not to overflow (`defined` says why that may be). What mathematical
//! integers cannot say exactly in a decidable way (most bit operations) is refused there, so that the caller can start again with bit-vectors.

use super::math::{exact_range, math_bits, quotient, settle, shift_amount, wrap};
use crate::c::floats;
use crate::c::translate::{Range, Scalar, Value};
use crate::c::tree::{BinaryOp, CompareOp, UnaryOp};
use braid_logic::{BvOp, Integer};
use braid_program::ast::build::{
    self, add, and, bits, bv, div, eq, int, ite, le, lt, modulo, mul, negate, not, numeral, or, power, sub,
};
use braid_program::ast::{Expr, ExprKind, Op, Type};
use braid_program::source::Span;

/// How integers are represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ints {
    /// As mathematical integers in the range of their type.
    Math,
    /// As bit-vectors.
    Bits,
}

/// Mathematical integers do not say this exactly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NeedsBits;

pub(crate) type Exactly<T> = Result<T, NeedsBits>;

impl Ints {
    /// The type of variables that hold such values.
    pub(crate) fn ty(self, scalar: Scalar) -> Type {
        match (self, scalar) {
            (Ints::Math, _) => Type::Int,
            (Ints::Bits, _) => Type::BitVec(scalar.bits()),
        }
    }

    pub(crate) fn constant(self, scalar: Scalar, value: &Integer, span: Span) -> Value {
        let value = wrapped(scalar, value);
        let expr = match self {
            Ints::Math => int(value.clone(), span),
            Ints::Bits => bits(&value, scalar.bits(), span),
        };
        Value { expr, range: Range::point(value), reads: false }
    }

    /// The value of a constant, if it is one.
    pub(crate) fn known(self, scalar: Scalar, value: &Expr) -> Option<Integer> {
        numeral(value).map(|value| wrapped(scalar, value))
    }

    /// Something of a type of which nothing is known.
    pub(crate) fn any(self, scalar: Scalar, expr: Expr, reads: bool) -> Value {
        let range = match self.known(scalar, &expr) {
            Some(value) => Range::point(value),
            None => scalar.range(),
        };
        Value { expr, range, reads }
    }

    /// Does the value differ from zero?
    pub(crate) fn truth(self, scalar: Scalar, value: &Value, span: Span) -> Expr {
        if scalar.is_float() {
            let zero = self.constant(scalar, &Integer::ZERO, span).expr;
            return self.compare(CompareOp::NotEqual, scalar, value.expr.clone(), zero, span);
        }
        decided(&value.expr, span).unwrap_or_else(|| {
            not(eq(value.expr.clone(), self.constant(scalar, &Integer::ZERO, span).expr, span), span)
        })
    }

    /// The type of memory cells: a `_Bool` is a truth value there.
    pub(crate) fn cell_type(self, scalar: Scalar) -> Type {
        if scalar == Scalar::Bool { Type::Bool } else { self.ty(scalar) }
    }

    /// What a cell holds, as a number.
    pub(crate) fn of_cell(self, scalar: Scalar, cell: Expr, span: Span) -> Expr {
        if scalar == Scalar::Bool { self.of_truth(cell, scalar, false, span).expr } else { cell }
    }

    /// A number as a cell holds it.
    pub(crate) fn to_cell(self, scalar: Scalar, number: Expr, span: Span) -> Expr {
        if scalar != Scalar::Bool {
            return number;
        }
        let value = self.any(scalar, number, false);
        self.truth(scalar, &value, span)
    }

    /// 1 or 0.
    pub(crate) fn of_truth(self, truth: Expr, scalar: Scalar, reads: bool, span: Span) -> Value {
        let number = |n: i64| self.constant(scalar, &Integer::from(n), span).expr;
        let expr = ite(truth, number(1), number(0), span);
        let range = numeral(&expr).map_or_else(Range::truth, |n| Range::point(n.clone()));
        Value { expr, range, reads }
    }

    /// The formula that a variable's value is one of its type; none where the representation sees to it.
    pub(crate) fn in_range(self, scalar: Scalar, expr: &Expr, span: Span) -> Option<Expr> {
        if self == Ints::Bits {
            return None;
        }
        let Range { low, high } = scalar.range();
        Some(and(le(int(low, span), expr.clone(), span), le(expr.clone(), int(high, span), span), span))
    }

    /// Conversion between types, exact on all values; floats are taken for their bits.
    pub(crate) fn convert(self, from: Scalar, to: Scalar, value: Value, span: Span) -> Value {
        if from == to {
            return value;
        }
        if to == Scalar::Bool {
            let truth = self.truth(from, &value, span);
            return self.of_truth(truth, to, value.reads, span);
        }
        match self {
            Ints::Math => wrap(to, value, span),
            Ints::Bits => {
                let (old, new) = (from.bits(), to.bits());
                if let Some(known) = self.known(from, &value.expr) {
                    return Value { reads: value.reads, ..self.constant(to, &known, span) };
                }
                let expr = if new < old {
                    bv(BvOp::Extract { high: new - 1, low: 0 }, vec![value.expr], span)
                } else if new > old && from.is_signed() {
                    bv(BvOp::SignExtend(new - old), vec![value.expr], span)
                } else if new > old {
                    bv(BvOp::ZeroExtend(new - old), vec![value.expr], span)
                } else {
                    value.expr
                };
                Value { expr, range: to.range(), reads: value.reads }
            }
        }
    }

    pub(crate) fn unary(self, op: UnaryOp, scalar: Scalar, a: Value, span: Span) -> Value {
        let reads = a.reads;
        match (self, op) {
            (Ints::Math, UnaryOp::Negate) => {
                let range = Range { low: -&a.range.high, high: -&a.range.low };
                settle(scalar, Value { expr: negate(a.expr, span), range, reads }, span)
            }
            (Ints::Math, UnaryOp::Complement) => {
                let all = if scalar.is_signed() { Integer::from(-1) } else { scalar.range().high };
                let range = Range { low: &all - &a.range.high, high: &all - &a.range.low };
                Value { expr: sub(int(all, span), a.expr, span), range, reads }
            }
            (Ints::Bits, op) => {
                let op = if op == UnaryOp::Negate { BvOp::Neg } else { BvOp::Not };
                Value { expr: bv(op, vec![a.expr], span), range: scalar.range(), reads }
            }
        }
    }

    /// `a op b`, both of the type; of shifts the right operand has been converted to it as well.
    pub(crate) fn binary(self, op: BinaryOp, scalar: Scalar, a: Value, b: Value, span: Span) -> Exactly<Value> {
        let reads = a.reads || b.reads;
        if self == Ints::Bits {
            let (known_a, known_b) = (self.known(scalar, &a.expr), self.known(scalar, &b.expr));
            if let (Some(a), Some(b)) = (known_a, known_b) {
                let constant = |n: &Integer| Ints::Math.constant(scalar, n, span);
                if let Ok(Value { range, .. }) = Ints::Math.binary(op, scalar, constant(&a), constant(&b), span)
                    && range.low == range.high
                {
                    return Ok(Value { reads, ..self.constant(scalar, &range.low, span) });
                }
            }
            let expr = bit_operation(op, scalar, a.expr, b.expr, span);
            return Ok(Value { expr, range: scalar.range(), reads });
        }
        let result = |expr, range| settle(scalar, Value { expr, range, reads }, span);
        Ok(match op {
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => {
                let range = exact_range(op, &a, &b);
                let build = match op {
                    BinaryOp::Add => add,
                    BinaryOp::Subtract => sub,
                    _ => mul,
                };
                result(build(a.expr, b.expr, span), range)
            }
            BinaryOp::Divide => {
                let range = if a.range.is_natural() && b.range.is_natural() {
                    Range { low: Integer::ZERO, high: a.range.high.clone() }
                } else {
                    scalar.range()
                };
                let quotient = quotient(&a, &b, span);
                let range = numeral(&quotient).map_or(range, |n| Range::point(n.clone()));
                result(quotient, range)
            }
            BinaryOp::Remainder => {
                let natural = a.range.is_natural() && b.range.is_natural();
                let expr = if natural {
                    modulo(a.expr.clone(), b.expr.clone(), span)
                } else if let Some(divisor) = numeral(&b.expr).filter(|n| n.is_positive()) {
                    let by = || int(divisor.clone(), span);
                    let positive = modulo(a.expr.clone(), by(), span);
                    let negative = negate(modulo(negate(a.expr.clone(), span), by(), span), span);
                    ite(le(int(0, span), a.expr.clone(), span), positive, negative, span)
                } else {
                    sub(a.expr.clone(), mul(b.expr.clone(), quotient(&a, &b, span), span), span)
                };
                let limit = &b.range.high.abs().max(b.range.low.abs()) - &Integer::ONE;
                let low = if a.range.is_natural() { Integer::ZERO } else { -&limit };
                let range = numeral(&expr).map_or(Range { low, high: limit }, |n| Range::point(n.clone()));
                result(expr, range)
            }
            BinaryOp::ShiftLeft => {
                let by = shift_amount(&b, scalar)?;
                let range = a.range.corners(&Range::point(power(by)), |x, y| x * y);
                // As with GCC, bits are lost on the left whatever the type.
                wrap(scalar, Value { expr: mul(a.expr, int(power(by), span), span), range, reads }, span)
            }
            BinaryOp::ShiftRight => {
                let by = power(shift_amount(&b, scalar)?);
                let range = Range { low: a.range.low.div_floor(&by), high: a.range.high.div_floor(&by) };
                Value { expr: div(a.expr, int(by, span), span), range, reads }
            }
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => math_bits(op, scalar, a, b, span)?,
        })
    }

    pub(crate) fn compare(self, op: CompareOp, scalar: Scalar, a: Expr, b: Expr, span: Span) -> Expr {
        if let Scalar::Float(format) = scalar {
            let (op, swapped, negated) = floats::comparison(op);
            let holds = build::float(op, format, if swapped { vec![b, a] } else { vec![a, b] }, span);
            return if negated { not(holds, span) } else { holds };
        }
        match op {
            CompareOp::Equal => return eq(a, b, span),
            CompareOp::NotEqual => return not(eq(a, b, span), span),
            CompareOp::Greater => return self.compare(CompareOp::Less, scalar, b, a, span),
            CompareOp::GreaterEqual => return self.compare(CompareOp::LessEqual, scalar, b, a, span),
            CompareOp::Less | CompareOp::LessEqual => {}
        }
        let strict = op == CompareOp::Less;
        if let (Some(a), Some(b)) = (self.known(scalar, &a), self.known(scalar, &b)) {
            return Expr::bool(if strict { a < b } else { a <= b }, span);
        }
        match (self, strict, scalar.is_signed()) {
            (Ints::Math, true, _) => lt(a, b, span),
            (Ints::Math, false, _) => le(a, b, span),
            (Ints::Bits, true, true) => bv(BvOp::Slt, vec![a, b], span),
            (Ints::Bits, true, false) => bv(BvOp::Ult, vec![a, b], span),
            (Ints::Bits, false, true) => bv(BvOp::Sle, vec![a, b], span),
            (Ints::Bits, false, false) => bv(BvOp::Ule, vec![a, b], span),
        }
    }

    /// The formula that a signed operation does not overflow; none if it cannot.
    pub(crate) fn no_overflow(self, op: BinaryOp, scalar: Scalar, a: &Value, b: &Value, span: Span) -> Option<Expr> {
        if !scalar.is_signed() {
            return None;
        }
        let Range { low, high } = scalar.range();
        let (exact, bits) = match op {
            BinaryOp::Add | BinaryOp::Subtract => (exact_range(op, a, b), scalar.bits() + 1),
            BinaryOp::Multiply => (exact_range(op, a, b), 2 * scalar.bits()),
            BinaryOp::Divide | BinaryOp::Remainder => {
                let least = eq(a.expr.clone(), self.constant(scalar, &low, span).expr, span);
                let minus = eq(b.expr.clone(), self.constant(scalar, &Integer::from(-1), span).expr, span);
                return Some(not(and(least, minus, span), span)).filter(|formula| formula.kind != ExprKind::Bool(true));
            }
            _ => return None,
        };
        let point = |value: &Value| (value.range.low == value.range.high).then(|| value.range.low.clone());
        let wide = Scalar::Int { bits, signed: true };
        // Of a sum with a constant, bounds of the other operand say it.
        let (ty, value, low_bound, high_bound) = match (op, point(a), point(b)) {
            (BinaryOp::Add, _, Some(c)) => (scalar, a.clone(), &low - &c, &high - &c),
            (BinaryOp::Add, Some(c), _) => (scalar, b.clone(), &low - &c, &high - &c),
            (BinaryOp::Subtract, _, Some(c)) => (scalar, a.clone(), &low + &c, &high + &c),
            _ => {
                let widen = |value: &Value| self.convert(scalar, wide, value.clone(), span);
                (wide, self.binary(op, wide, widen(a), widen(b), span).ok()?, low.clone(), high.clone())
            }
        };
        let bound = |n: &Integer| self.constant(ty, n, span).expr;
        let mut formula = Expr::bool(true, span);
        if exact.low < low {
            formula = self.compare(CompareOp::LessEqual, ty, bound(&low_bound), value.expr.clone(), span);
        }
        if exact.high > high {
            let below = self.compare(CompareOp::LessEqual, ty, value.expr, bound(&high_bound), span);
            formula = and(formula, below, span);
        }
        Some(formula).filter(|formula| formula.kind != ExprKind::Bool(true))
    }
}

/// Whether a number that is chosen between constants differs from zero, as a formula about the choices.
fn decided(expr: &Expr, span: Span) -> Option<Expr> {
    match &expr.kind {
        ExprKind::Int(value) | ExprKind::BitVec(value) => Some(Expr::bool(!value.is_zero(), span)),
        ExprKind::Op(Op::Ite, operands) => {
            let (yes, no) = (decided(&operands[1], span)?, decided(&operands[2], span)?);
            Some(choice(operands[0].clone(), yes, no, span))
        }
        ExprKind::Op(Op::Bv(BvOp::ZeroExtend(_) | BvOp::SignExtend(_)), operands) => decided(&operands[0], span),
        _ => None,
    }
}

/// If-then-else of formulas.
fn choice(test: Expr, yes: Expr, no: Expr, span: Span) -> Expr {
    let truth = |expr: &Expr| match expr.kind {
        ExprKind::Bool(value) => Some(value),
        _ => None,
    };
    match (truth(&yes), truth(&no)) {
        (Some(true), Some(false)) => test,
        (Some(false), Some(true)) => not(test, span),
        (Some(true), _) => or(test, no, span),
        (Some(false), _) => and(not(test, span), no, span),
        (_, Some(true)) => or(not(test, span), yes, span),
        (_, Some(false)) => and(test, yes, span),
        _ => ite(test, yes, no, span),
    }
}

/// The value of the type that is congruent modulo 2 to its width; of `_Bool`: whether it is not zero.
pub(crate) fn wrapped(scalar: Scalar, value: &Integer) -> Integer {
    if scalar == Scalar::Bool {
        return if value.is_zero() { Integer::ZERO } else { Integer::ONE };
    }
    let Range { low, .. } = scalar.range();
    &(value - &low).rem_euclid(&power(scalar.bits())) + &low
}

fn bit_operation(op: BinaryOp, scalar: Scalar, a: Expr, b: Expr, span: Span) -> Expr {
    let signed = scalar.is_signed();
    let op = match op {
        BinaryOp::Add => BvOp::Add,
        BinaryOp::Subtract => {
            return bv(BvOp::Add, vec![a, bv(BvOp::Neg, vec![b], span)], span);
        }
        BinaryOp::Multiply => BvOp::Mul,
        BinaryOp::Divide if signed => BvOp::Sdiv,
        BinaryOp::Divide => BvOp::Udiv,
        BinaryOp::Remainder if signed => BvOp::Srem,
        BinaryOp::Remainder => BvOp::Urem,
        BinaryOp::ShiftLeft => BvOp::Shl,
        BinaryOp::ShiftRight if signed => BvOp::Ashr,
        BinaryOp::ShiftRight => BvOp::Lshr,
        BinaryOp::BitAnd => BvOp::And,
        BinaryOp::BitOr => BvOp::Or,
        BinaryOp::BitXor => BvOp::Xor,
    };
    build::bv(op, vec![a, b], span)
}
