//! C's floating-point types as formats of IEEE 754, and its operators as operations on their bits.
//!
//! Each operation is rounded to its type (`FLT_EVAL_METHOD` 0), to nearest even. Literals and operations on them are
//! calculated while the program is checked, the rest by the translation.

use super::tree::{BinaryOp, CompareOp, Type};
use braid_logic::{FloatOp, Format, Integer, Rounding};

/// The format of a floating type.
pub fn format(ty: &Type) -> Option<Format> {
    match ty {
        Type::Float { bits: 32 } => Some(Format::SINGLE),
        Type::Float { bits: 64 } => Some(Format::DOUBLE),
        Type::Float { .. } => Some(Format::EXTENDED),
        _ => None,
    }
}

/// The operation of an operator; none where floats have no such operator.
pub fn arithmetic(op: BinaryOp) -> Option<FloatOp> {
    Some(match op {
        BinaryOp::Add => FloatOp::Add,
        BinaryOp::Subtract => FloatOp::Sub,
        BinaryOp::Multiply => FloatOp::Mul,
        BinaryOp::Divide => FloatOp::Div,
        _ => return None,
    })
}

/// A comparison as an operation: are the operands exchanged, is the result negated?
pub fn comparison(op: CompareOp) -> (FloatOp, bool, bool) {
    match op {
        CompareOp::Equal => (FloatOp::Eq, false, false),
        CompareOp::NotEqual => (FloatOp::Eq, false, true),
        CompareOp::Less => (FloatOp::Lt, false, false),
        CompareOp::LessEqual => (FloatOp::Le, false, false),
        CompareOp::Greater => (FloatOp::Lt, true, false),
        CompareOp::GreaterEqual => (FloatOp::Le, true, false),
    }
}

/// The conversion of an integer of so many bits to a float.
pub fn from_integer(bits: u32, signed: bool) -> FloatOp {
    if signed { FloatOp::FromSigned(bits) } else { FloatOp::FromUnsigned(bits) }
}

/// The conversion of a float to an integer of so many bits.
pub fn to_integer(bits: u32, signed: bool) -> FloatOp {
    if signed { FloatOp::ToSigned(bits) } else { FloatOp::ToUnsigned(bits) }
}

/// A float without its fraction fits into an integer type if it is at least the first and less than the second.
pub fn limits(format: Format, bits: u32, signed: bool) -> (Integer, Integer) {
    let high = super::translate::power(if signed { bits - 1 } else { bits });
    let high = FloatOp::FromUnsigned(bits + 1).calculate(format, &[&high]);
    let low = if signed { negated(format, &high) } else { Integer::ZERO };
    (low, high)
}

/// A float with the other sign.
pub fn negated(format: Format, bits: &Integer) -> Integer {
    let sign = super::translate::power(format.width() - 1);
    if *bits < sign { bits + &sign } else { bits - &sign }
}

/// A float as an integer of the type, if its value without the fraction is one.
pub fn truncated(format: Format, float: &Integer, bits: u32, signed: bool) -> Option<Integer> {
    let whole = FloatOp::Round(Rounding::Zero).calculate(format, &[float]);
    let (low, high) = limits(format, bits, signed);
    let holds = |op: FloatOp, a: &Integer, b: &Integer| op.calculate(format, &[a, b]).is_one();
    if !holds(FloatOp::Le, &low, &whole) || !holds(FloatOp::Lt, &whole, &high) {
        return None;
    }
    let value = to_integer(bits, signed).calculate(format, &[&whole]);
    let sign = super::translate::power(bits - 1);
    Some(if signed && value >= sign { &(&value - &sign) - &sign } else { value })
}

/// Is it not zero?
pub fn truth(format: Format, float: &Integer) -> bool {
    FloatOp::Eq.calculate(format, &[float, &Integer::ZERO]).is_zero()
}
