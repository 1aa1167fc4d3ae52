//! Expressions that are folded while they are built: indices of unrolled loops, addresses and conditions become
//! constants here, so that whoever builds a program can look at them.
//!
//! *Invariant*: operands have the types that the operator asks for. Front ends check that before they build.

use super::{Expr, ExprKind, Op, Type, VarId};
use crate::source::Span;
use braid_logic::{BvOp, FloatOp, FloatResult, Format, Integer};

/// An operator applied to operands of the right types.
pub fn op(op: Op, operands: Vec<Expr>, span: Span) -> Expr {
    Expr::op(op, operands, span).expect("operands have the types that the operator takes")
}

/// A bit-vector operator.
pub fn bv(operator: BvOp, operands: Vec<Expr>, span: Span) -> Expr {
    op(Op::Bv(operator), operands, span)
}

/// An operator on floats.
pub fn float(operator: FloatOp, format: Format, operands: Vec<Expr>, span: Span) -> Expr {
    let Some(known) = operands.iter().map(numeral).collect::<Option<Vec<_>>>() else {
        return bv(BvOp::Float(operator, format), operands, span);
    };
    let result = operator.calculate(format, &known);
    match operator.result(format) {
        FloatResult::Bool => Expr::bool(result.is_one(), span),
        FloatResult::Bits(width) => bits(&result, width, span),
    }
}

/// A bit-vector numeral.
pub fn bits(value: &Integer, width: u32, span: Span) -> Expr {
    let value = value.rem_euclid(&power(width));
    Expr { kind: ExprKind::BitVec(value), ty: Type::BitVec(width), span }
}

/// A variable of a known type.
pub fn var(id: VarId, ty: Type, span: Span) -> Expr {
    Expr { kind: ExprKind::Var(id), ty, span }
}

/// 2 to the `exponent`.
pub fn power(exponent: u32) -> Integer {
    let chunk = |bits: u32| Integer::from(1i128 << bits);
    let mut result = chunk(exponent % 64);
    for _ in 0..exponent / 64 {
        result = &result * &chunk(64);
    }
    result
}

/// The value of a numeral, read as unsigned if it is a bit-vector.
pub fn numeral(expr: &Expr) -> Option<&Integer> {
    match &expr.kind {
        ExprKind::Int(value) | ExprKind::BitVec(value) => Some(value),
        _ => None,
    }
}

fn both<'a>(a: &'a Expr, b: &'a Expr) -> Option<(&'a Integer, &'a Integer)> {
    Some((numeral(a)?, numeral(b)?))
}

/// An integer numeral.
pub fn int(value: impl Into<Integer>, span: Span) -> Expr {
    Expr::int(value, span)
}

/// An integer sum split into what is not constant and what is.
fn split(expr: &Expr) -> (Option<Expr>, Integer) {
    match &expr.kind {
        ExprKind::Int(value) => (None, value.clone()),
        ExprKind::Op(Op::Add, operands) if operands.len() == 2 => match numeral(&operands[1]) {
            Some(value) => (Some(operands[0].clone()), value.clone()),
            None => (Some(expr.clone()), Integer::ZERO),
        },
        ExprKind::Op(Op::Sub, operands) if operands.len() == 2 => match numeral(&operands[1]) {
            Some(value) => (Some(operands[0].clone()), -value),
            None => (Some(expr.clone()), Integer::ZERO),
        },
        _ => (Some(expr.clone()), Integer::ZERO),
    }
}

fn sum(rest: Option<Expr>, constant: Integer, span: Span) -> Expr {
    match rest {
        None => int(constant, span),
        Some(rest) if constant.is_zero() => rest,
        Some(rest) if constant.is_negative() => op(Op::Sub, vec![rest, int(-&constant, span)], span),
        Some(rest) => op(Op::Add, vec![rest, int(constant, span)], span),
    }
}

/// The sum of two integers; constants come last, in one numeral.
pub fn add(a: Expr, b: Expr, span: Span) -> Expr {
    let ((rest_a, constant_a), (rest_b, constant_b)) = (split(&a), split(&b));
    let constant = &constant_a + &constant_b;
    match (rest_a, rest_b) {
        (Some(x), Some(y)) => sum(Some(op(Op::Add, vec![x, y], span)), constant, span),
        (Some(x), None) | (None, Some(x)) => sum(Some(x), constant, span),
        (None, None) => int(constant, span),
    }
}

/// The difference of two integers.
pub fn sub(a: Expr, b: Expr, span: Span) -> Expr {
    let ((rest_a, constant_a), (rest_b, constant_b)) = (split(&a), split(&b));
    let constant = &constant_a - &constant_b;
    match (rest_a, rest_b) {
        (Some(x), Some(y)) if x == y => int(constant, span),
        (Some(x), Some(y)) => sum(Some(op(Op::Sub, vec![x, y], span)), constant, span),
        (Some(x), None) => sum(Some(x), constant, span),
        (None, Some(y)) if constant.is_zero() => op(Op::Sub, vec![y], span),
        (None, Some(y)) => op(Op::Sub, vec![int(constant, span), y], span),
        (None, None) => int(constant, span),
    }
}

/// An integer with the other sign.
pub fn negate(a: Expr, span: Span) -> Expr {
    sub(int(0, span), a, span)
}

/// The product of two integers.
pub fn mul(a: Expr, b: Expr, span: Span) -> Expr {
    if let Some((x, y)) = both(&a, &b) {
        return int(x * y, span);
    }
    match (numeral(&a), numeral(&b)) {
        (Some(x), _) | (_, Some(x)) if x.is_zero() => int(0, span),
        (Some(x), _) if x.is_one() => b,
        (_, Some(y)) if y.is_one() => a,
        _ => op(Op::Mul, vec![a, b], span),
    }
}

/// Euclidean division by something that is not zero.
pub fn div(a: Expr, b: Expr, span: Span) -> Expr {
    match both(&a, &b) {
        Some((x, y)) if !y.is_zero() => int(x.div_euclid(y), span),
        _ if numeral(&b).is_some_and(Integer::is_one) => a,
        _ => op(Op::Div, vec![a, b], span),
    }
}

/// The remainder of Euclidean division by something that is not zero.
pub fn modulo(a: Expr, b: Expr, span: Span) -> Expr {
    match both(&a, &b) {
        Some((x, y)) if !y.is_zero() => int(x.rem_euclid(y), span),
        _ => op(Op::Mod, vec![a, b], span),
    }
}

/// The opposite of a condition.
pub fn not(a: Expr, span: Span) -> Expr {
    match a.kind {
        ExprKind::Bool(value) => Expr::bool(!value, span),
        ExprKind::Op(Op::Not, mut operands) if operands.len() == 1 => operands.remove(0),
        ExprKind::Op(Op::Eq, operands) if operands.len() == 2 => op(Op::Distinct, operands, span),
        ExprKind::Op(Op::Distinct, operands) if operands.len() == 2 => op(Op::Eq, operands, span),
        ExprKind::Op(Op::Lt, operands) => op(Op::Ge, operands, span),
        ExprKind::Op(Op::Le, operands) => op(Op::Gt, operands, span),
        ExprKind::Op(Op::Gt, operands) => op(Op::Le, operands, span),
        ExprKind::Op(Op::Ge, operands) => op(Op::Lt, operands, span),
        _ => op(Op::Not, vec![a], span),
    }
}

fn truth(expr: &Expr) -> Option<bool> {
    match expr.kind {
        ExprKind::Bool(value) => Some(value),
        _ => None,
    }
}

fn junction(operator: Op, neutral: bool, a: Expr, b: Expr, span: Span) -> Expr {
    match (truth(&a), truth(&b)) {
        (Some(x), _) if x == neutral => b,
        (_, Some(y)) if y == neutral => a,
        (Some(_), _) | (_, Some(_)) => Expr::bool(!neutral, span),
        _ => op(operator, vec![a, b], span),
    }
}

/// Both conditions.
pub fn and(a: Expr, b: Expr, span: Span) -> Expr {
    junction(Op::And, true, a, b, span)
}

/// One of two conditions.
pub fn or(a: Expr, b: Expr, span: Span) -> Expr {
    junction(Op::Or, false, a, b, span)
}

/// Are both values the same?
pub fn eq(a: Expr, b: Expr, span: Span) -> Expr {
    if let Some((x, y)) = both(&a, &b) {
        return Expr::bool(x == y, span);
    }
    if a == b {
        return Expr::bool(true, span);
    }
    op(Op::Eq, vec![a, b], span)
}

/// Is the first integer less than the second?
pub fn lt(a: Expr, b: Expr, span: Span) -> Expr {
    match both(&a, &b) {
        Some((x, y)) => Expr::bool(x < y, span),
        None => op(Op::Lt, vec![a, b], span),
    }
}

/// Is the first integer at most the second?
pub fn le(a: Expr, b: Expr, span: Span) -> Expr {
    match both(&a, &b) {
        Some((x, y)) => Expr::bool(x <= y, span),
        None => op(Op::Le, vec![a, b], span),
    }
}

/// One of two values, by a condition.
pub fn ite(test: Expr, yes: Expr, no: Expr, span: Span) -> Expr {
    match truth(&test) {
        Some(true) => yes,
        Some(false) => no,
        None if yes == no => yes,
        None => op(Op::Ite, vec![test, yes, no], span),
    }
}

/// An element of an array.
pub fn select(array: Expr, index: Expr, span: Span) -> Expr {
    op(Op::Select, vec![array, index], span)
}

/// An array with one element changed.
pub fn store(array: Expr, index: Expr, value: Expr, span: Span) -> Expr {
    op(Op::Store, vec![array, index, value], span)
}
