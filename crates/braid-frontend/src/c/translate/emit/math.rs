//! C's arithmetic on mathematical integers: where results lie, how they wrap around, which bit operations are linear enough.

use crate::c::translate::emit::integers::{Exactly, NeedsBits, wrapped};
use crate::c::translate::{Ints, Range, Scalar, Value};
use crate::c::tree::BinaryOp;
use braid_logic::Integer;
use braid_program::ast::Expr;
use braid_program::ast::build::{
    add, and, div, eq, int, ite, le, lt, modulo, mul, negate, not, numeral, or, power, sub,
};
use braid_program::source::Span;

/// Where the exact result of a sum, difference or product lies.
pub(crate) fn exact_range(op: BinaryOp, a: &Value, b: &Value) -> Range {
    let (a, b) = (&a.range, &b.range);
    match op {
        BinaryOp::Add => Range { low: &a.low + &b.low, high: &a.high + &b.high },
        BinaryOp::Subtract => Range { low: &a.low - &b.high, high: &a.high - &b.low },
        _ => a.corners(b, |x, y| x * y),
    }
}

/// The result of an operation in its type: unsigned results wrap around, signed ones fit if the operation is defined.
pub(crate) fn settle(scalar: Scalar, value: Value, span: Span) -> Value {
    if scalar.is_signed() || matches!(scalar, Scalar::Pointer(_)) {
        return Value { range: value.range.clip(&scalar.range()), ..value };
    }
    wrap(scalar, value, span)
}

/// Wraps a mathematical integer into the range of a type: by one correction where the value is at most one period off.
pub(crate) fn wrap(scalar: Scalar, value: Value, span: Span) -> Value {
    let target = scalar.range();
    if value.range.within(&target) {
        return value;
    }
    if let Some(known) = numeral(&value.expr) {
        let known = wrapped(scalar, known);
        return Value { expr: int(known.clone(), span), range: Range::point(known), reads: value.reads };
    }
    let period = power(scalar.bits());
    let near = Range { low: &target.low - &period, high: &target.high + &period };
    let expr = if value.range.within(&near) {
        let mut expr = value.expr.clone();
        if value.range.high > target.high {
            let above = lt(int(target.high.clone(), span), value.expr.clone(), span);
            expr = ite(above, sub(value.expr.clone(), int(period.clone(), span), span), expr, span);
        }
        if value.range.low < target.low {
            let below = lt(value.expr.clone(), int(target.low.clone(), span), span);
            expr = ite(below, add(value.expr, int(period, span), span), expr, span);
        }
        expr
    } else if target.low.is_zero() {
        modulo(value.expr, int(period, span), span)
    } else {
        let shifted = sub(value.expr, int(target.low.clone(), span), span);
        add(modulo(shifted, int(period, span), span), int(target.low.clone(), span), span)
    };
    Value { expr, range: target, reads: value.reads }
}

/// C's quotient: towards zero.
pub(crate) fn quotient(a: &Value, b: &Value, span: Span) -> Expr {
    let zero = || int(0, span);
    let by = |a: Expr, b: Expr| div(a, b, span);
    let positive_b = |a: &Value, b: &Expr| {
        if a.range.is_natural() {
            return by(a.expr.clone(), b.clone());
        }
        let negative = negate(by(negate(a.expr.clone(), span), b.clone()), span);
        ite(le(zero(), a.expr.clone(), span), by(a.expr.clone(), b.clone()), negative, span)
    };
    if b.range.is_natural() {
        return positive_b(a, &b.expr);
    }
    let opposite = negate(b.expr.clone(), span);
    let test = le(zero(), b.expr.clone(), span);
    ite(test, positive_b(a, &b.expr), negate(positive_b(a, &opposite), span), span)
}

pub(crate) fn shift_amount(b: &Value, scalar: Scalar) -> Exactly<u32> {
    let amount = numeral(&b.expr).and_then(Integer::to_i64).ok_or(NeedsBits)?;
    u32::try_from(amount).ok().filter(|&amount| amount < scalar.bits()).ok_or(NeedsBits)
}

/// Bit operations that are linear enough: on truth values, and with constants of few runs of bits.
pub(crate) fn math_bits(op: BinaryOp, scalar: Scalar, a: Value, b: Value, span: Span) -> Exactly<Value> {
    let reads = a.reads || b.reads;
    if a.range.within(&Range::truth()) && b.range.within(&Range::truth()) {
        let test = |value: &Value| Ints::Math.truth(scalar, value, span);
        let truth = match op {
            BinaryOp::BitAnd => and(test(&a), test(&b), span),
            BinaryOp::BitOr => or(test(&a), test(&b), span),
            _ => not(eq(a.expr, b.expr, span), span),
        };
        return Ok(Ints::Math.of_truth(truth, scalar, reads, span));
    }
    let (value, constant) = match (numeral(&a.expr), numeral(&b.expr)) {
        (_, Some(constant)) => (a.clone(), constant.clone()),
        (Some(constant), _) => (b.clone(), constant.clone()),
        _ => return Err(NeedsBits),
    };
    let masked = mask(scalar, &value, &constant, span)?;
    let constant_expr = int(constant.clone(), span);
    let settled = |expr: Expr| Value { expr, range: scalar.range(), reads };
    Ok(match op {
        BinaryOp::BitAnd => Value { reads, ..masked },
        BinaryOp::BitOr => settled(sub(add(value.expr, constant_expr, span), masked.expr, span)),
        _ => {
            let twice = mul(int(2, span), masked.expr, span);
            settled(sub(add(value.expr, constant_expr, span), twice, span))
        }
    })
}

/// `value & constant`, where the constant has at most two runs of ones.
fn mask(scalar: Scalar, value: &Value, constant: &Integer, span: Span) -> Exactly<Value> {
    let unsigned = constant.rem_euclid(&power(scalar.bits()));
    let bit = |n: u32| !unsigned.div_floor(&power(n)).rem_euclid(&Integer::from(2)).is_zero();
    let (mut runs, mut at) = (Vec::new(), 0);
    while at < scalar.bits() {
        let start = at;
        while at < scalar.bits() && bit(at) {
            at += 1;
        }
        if at > start {
            runs.push((start, at));
        }
        at += 1;
    }
    if runs.len() > 2 {
        return Err(NeedsBits);
    }
    let mut sum = int(0, span);
    let mut range = Range { low: Integer::ZERO, high: unsigned.clone() };
    for (start, end) in runs {
        let shifted = div(value.expr.clone(), int(power(start), span), span);
        // The run that holds the sign keeps it.
        let part = if end == scalar.bits() && scalar.is_signed() {
            range = scalar.range();
            shifted
        } else {
            modulo(shifted, int(power(end - start), span), span)
        };
        sum = add(sum, mul(part, int(power(start), span), span), span);
    }
    if let Some(known) = numeral(&sum) {
        range = Range::point(known.clone());
    }
    Ok(Value { expr: sum, range, reads: value.reads })
}
