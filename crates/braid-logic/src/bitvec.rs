//! Bit-vector constructors: constants are folded; everything else is left to the solver.

use crate::float::{self, FloatResult, Folded};
use crate::number::Integer;
use crate::pool::TermPool;
use crate::sort::{Sort, SortKind};
use crate::term::{BvOp, Node, Term};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

/// A folded operation's result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BvResult {
    Bits(BigUint, u32),
    Bool(bool),
    Int(Integer),
}

fn modulus(width: u32) -> BigUint {
    BigUint::one() << width
}

/// The value read as two's complement.
fn signed(value: &BigUint, width: u32) -> BigInt {
    let value_signed = BigInt::from(value.clone());
    if value.bit(u64::from(width - 1)) { value_signed - BigInt::from(modulus(width)) } else { value_signed }
}

/// An integer modulo 2 to the width.
pub(crate) fn truncated(value: &BigInt, width: u32) -> BigUint {
    let modulus = BigInt::from(modulus(width));
    (((value % &modulus) + &modulus) % &modulus).to_biguint().expect("a remainder made non-negative")
}

/// What an operation gives on constants, by SMT-LIB's definitions (division by zero included).
pub(crate) fn fold(op: BvOp, arguments: &[(BigUint, u32)]) -> BvResult {
    use BvResult::{Bits, Bool};
    let (a, width) = (&arguments[0].0, arguments[0].1);
    let b = || &arguments[1].0;
    let rest = &arguments[1..];
    let wrap = |value: BigUint| Bits(value % modulus(width), width);
    let ones = || modulus(width) - 1u32;
    let shift = || b().to_u32().filter(|&by| by < width);
    let negative = |value: &BigUint| value.bit(u64::from(width - 1));
    let magnitude = |value: &BigUint| if negative(value) { modulus(width) - value } else { value.clone() };
    let with_sign = |minus: bool, value: BigUint| wrap(if minus { modulus(width) - value } else { value });
    match op {
        BvOp::Neg => wrap(modulus(width) - a),
        BvOp::Add => wrap(arguments.iter().map(|(value, _)| value).sum()),
        BvOp::Mul => wrap(arguments.iter().map(|(value, _)| value).product()),
        BvOp::Udiv => wrap(if b().is_zero() { ones() } else { a / b() }),
        BvOp::Urem => wrap(if b().is_zero() { a.clone() } else { a % b() }),
        BvOp::Sdiv if b().is_zero() => wrap(if negative(a) { BigUint::one() } else { ones() }),
        BvOp::Sdiv => with_sign(negative(a) != negative(b()), magnitude(a) / magnitude(b())),
        BvOp::Srem if b().is_zero() => wrap(a.clone()),
        BvOp::Srem => with_sign(negative(a), magnitude(a) % magnitude(b())),
        BvOp::Not => wrap(ones() - a),
        BvOp::And => wrap(rest.iter().fold(a.clone(), |bits, (value, _)| bits & value)),
        BvOp::Or => wrap(rest.iter().fold(a.clone(), |bits, (value, _)| bits | value)),
        BvOp::Xor => wrap(rest.iter().fold(a.clone(), |bits, (value, _)| bits ^ value)),
        BvOp::Shl => wrap(shift().map_or(BigUint::zero(), |by| a << by)),
        BvOp::Lshr => wrap(shift().map_or(BigUint::zero(), |by| a >> by)),
        BvOp::Ashr => {
            let by = shift().unwrap_or(width);
            wrap(truncated(&(signed(a, width) >> by), width))
        }
        BvOp::Concat => {
            let (bits, width) = rest
                .iter()
                .fold((a.clone(), width), |(bits, width), (value, more)| ((bits << more) | value, width + more));
            Bits(bits, width)
        }
        BvOp::Extract { high, low } => Bits((a >> low) % modulus(high - low + 1), high - low + 1),
        BvOp::ZeroExtend(by) => Bits(a.clone(), width + by),
        BvOp::SignExtend(by) => Bits(truncated(&signed(a, width), width + by), width + by),
        BvOp::Ult => Bool(a < b()),
        BvOp::Ule => Bool(a <= b()),
        BvOp::Slt => Bool(signed(a, width) < signed(b(), width)),
        BvOp::Sle => Bool(signed(a, width) <= signed(b(), width)),
        BvOp::ToInt => BvResult::Int(Integer::from(a.clone())),
        BvOp::FromInt(_) => unreachable!("its argument is an integer"),
        BvOp::Float(op, format) => {
            let operands: Vec<&BigUint> = arguments.iter().map(|(value, _)| value).collect();
            match (float::fold(op, format, &operands), op.result(format)) {
                (Folded::Bits(bits), FloatResult::Bits(width)) => Bits(bits, width),
                (Folded::Bool(value), _) => Bool(value),
                (Folded::Bits(_), FloatResult::Bool) => unreachable!("only comparisons give truth values"),
            }
        }
    }
}

impl TermPool {
    /// The numeral of a bit-vector, modulo 2 to the width.
    pub fn bv_value(&self, value: &Integer, width: u32) -> Term {
        let value = truncated(&value.to_big(), width);
        self.intern(Node::BitVec { value, width }, self.sort(SortKind::BitVec(width)))
    }

    /// The width of a bit-vector sort.
    pub fn bv_width(&self, sort: Sort) -> Option<u32> {
        match self.sort_kind(sort) {
            SortKind::BitVec(width) => Some(*width),
            _ => None,
        }
    }

    /// A bit-vector operation on as many arguments of the right sorts as it takes.
    pub fn bv(&self, op: BvOp, arguments: &[Term]) -> Term {
        if let BvOp::FromInt(width) = op {
            return match self.node(arguments[0]) {
                Node::Integer(value) => self.bv_value(value, width),
                _ => self.intern(Node::Bv(op, arguments.into()), self.sort(SortKind::BitVec(width))),
            };
        }
        let constants: Option<Vec<(BigUint, u32)>> = arguments
            .iter()
            .map(|&argument| match self.node(argument) {
                Node::BitVec { value, width } => Some((value.clone(), *width)),
                _ => None,
            })
            .collect();
        if let Some(constants) = constants {
            return match fold(op, &constants) {
                BvResult::Bits(value, width) => self.bv_value(&Integer::from(value), width),
                BvResult::Bool(value) => self.bool(value),
                BvResult::Int(value) => self.int(value),
            };
        }
        let width_of = |term: Term| self.bv_width(self.sort_of(term)).expect("a bit-vector operation on bit-vectors");
        let sort = match op {
            BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle => Sort::BOOL,
            BvOp::ToInt => Sort::INT,
            BvOp::Float(op, format) => {
                self.has_floats.set(true);
                match op.result(format) {
                    FloatResult::Bool => Sort::BOOL,
                    FloatResult::Bits(width) => self.sort(SortKind::BitVec(width)),
                }
            }
            BvOp::Concat => self.sort(SortKind::BitVec(arguments.iter().map(|&argument| width_of(argument)).sum())),
            BvOp::Extract { high, low } => self.sort(SortKind::BitVec(high - low + 1)),
            BvOp::ZeroExtend(by) | BvOp::SignExtend(by) => self.sort(SortKind::BitVec(width_of(arguments[0]) + by)),
            _ => self.sort_of(arguments[0]),
        };
        self.intern(Node::Bv(op, arguments.into()), sort)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_fold_as_smt_lib_says() {
        let pool = TermPool::new();
        let value = |value: i64| pool.bv_value(&Integer::from(value), 8);
        for (op, arguments, expected) in [
            (BvOp::Or, vec![1, 2, 4], value(7)),
            (BvOp::And, vec![7, 6, 12], value(4)),
            (BvOp::Xor, vec![5, 1, 8], value(12)),
            (BvOp::Concat, vec![1, 2, 3], pool.bv_value(&Integer::from(0x010203), 24)),
            (BvOp::Add, vec![200, 100], value(44)),
            (BvOp::Neg, vec![1], value(255)),
            (BvOp::Udiv, vec![7, 0], value(255)),
            (BvOp::Urem, vec![7, 0], value(7)),
            (BvOp::Sdiv, vec![-7, 2], value(-3)),
            (BvOp::Srem, vec![-7, 2], value(-1)),
            (BvOp::Sdiv, vec![-7, 0], value(1)),
            (BvOp::Ashr, vec![-8, 1], value(-4)),
            (BvOp::Ashr, vec![-8, 100], value(-1)),
            (BvOp::Lshr, vec![-8, 1], value(124)),
            (BvOp::Shl, vec![1, 8], value(0)),
            (BvOp::Extract { high: 5, low: 2 }, vec![0b101100], pool.bv_value(&Integer::from(0b1011), 4)),
            (BvOp::SignExtend(8), vec![-1], pool.bv_value(&Integer::from(-1), 16)),
            (BvOp::ZeroExtend(8), vec![-1], pool.bv_value(&Integer::from(255), 16)),
            (BvOp::Slt, vec![-1, 0], Term::TRUE),
            (BvOp::Ult, vec![-1, 0], Term::FALSE),
            (BvOp::ToInt, vec![-1], pool.int(255)),
        ] {
            let arguments: Vec<Term> = arguments.into_iter().map(value).collect();
            assert_eq!(pool.bv(op, &arguments), expected, "{op:?}");
        }
    }
}
