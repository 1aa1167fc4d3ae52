//! IEEE 754 arithmetic on bit patterns: exact on big integers, then rounded once, to nearest even.
//!
//! A float is a bit-vector: sign, biased exponent, significand without its leading bit. There is no sort for it; the
//! operators ([`FloatOp`]) say how bits are to be read. Every result that is not a number is one bit pattern,
//! [`Format::nan`]. Invariant: the operators are total, and what they give here is what the solver is told
//! (`text::floats`).

mod number;

pub use number::{Folded, fold};

use crate::number::Integer;
use num_bigint::BigUint;

/// How a float lies in its bits, by SMT-LIB's two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Format {
    /// The bits of the exponent.
    pub exponent: u32,
    /// The bits of the significand, with the leading one that is not stored.
    pub significand: u32,
}

/// How to round to an integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Rounding {
    NearestEven,
    NearestAway,
    Down,
    Up,
    Zero,
}

/// Operations on floats. The format that goes with one is that of its operands; of conversions from integers, that of
/// the result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// IEEE's remainder: the quotient is rounded to the nearest integer.
    Rem,
    /// `a * b + c`, rounded once.
    Fma,
    /// Square root.
    Sqrt,
    /// To an integer, as a float.
    Round(Rounding),
    /// Equality: zeros are equal, what is not a number equals nothing.
    Eq,
    /// Less than.
    Lt,
    /// At most.
    Le,
    /// To another format.
    Convert(Format),
    /// From two's complement of so many bits.
    FromSigned(u32),
    /// From an unsigned integer of so many bits.
    FromUnsigned(u32),
    /// Towards zero, to two's complement of so many bits; 0 if it does not fit.
    ToSigned(u32),
    /// Towards zero, to an unsigned integer of so many bits; 0 if it does not fit.
    ToUnsigned(u32),
}

/// What an operation gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatResult {
    /// A truth value.
    Bool,
    /// So many bits.
    Bits(u32),
}

/// The words of operators without numbers of their own, in the text forms of terms and programs.
const WORDS: [(&str, FloatOp); 15] = [
    ("float.add", FloatOp::Add),
    ("float.sub", FloatOp::Sub),
    ("float.mul", FloatOp::Mul),
    ("float.div", FloatOp::Div),
    ("float.rem", FloatOp::Rem),
    ("float.fma", FloatOp::Fma),
    ("float.sqrt", FloatOp::Sqrt),
    ("float.nearest_even", FloatOp::Round(Rounding::NearestEven)),
    ("float.nearest_away", FloatOp::Round(Rounding::NearestAway)),
    ("float.floor", FloatOp::Round(Rounding::Down)),
    ("float.ceil", FloatOp::Round(Rounding::Up)),
    ("float.trunc", FloatOp::Round(Rounding::Zero)),
    ("float.eq", FloatOp::Eq),
    ("float.lt", FloatOp::Lt),
    ("float.le", FloatOp::Le),
];

/// No exponent and no significand has more bits.
const WIDEST: u32 = 256;

impl FloatOp {
    /// How an operator is written: a word, and the numbers of its formats and widths.
    pub fn head(self, format: Format) -> (&'static str, Vec<u32>) {
        let numbers = vec![format.exponent, format.significand];
        match self {
            FloatOp::Convert(to) => ("float.convert", [numbers, vec![to.exponent, to.significand]].concat()),
            FloatOp::FromSigned(width) => ("float.from_signed", [numbers, vec![width]].concat()),
            FloatOp::FromUnsigned(width) => ("float.from_unsigned", [numbers, vec![width]].concat()),
            FloatOp::ToSigned(width) => ("float.to_signed", [numbers, vec![width]].concat()),
            FloatOp::ToUnsigned(width) => ("float.to_unsigned", [numbers, vec![width]].concat()),
            _ => {
                let known = WORDS.iter().find(|(_, op)| *op == self);
                (known.expect("every operator without numbers of its own is in the table").0, numbers)
            }
        }
    }

    /// The operator that a word and numbers stand for.
    pub fn named(word: &str, numbers: &[u32]) -> Option<(FloatOp, Format)> {
        let format = |exponent, significand| {
            let sensible = (2..=30).contains(&exponent) && (3..=WIDEST).contains(&significand);
            sensible.then_some(Format { exponent, significand })
        };
        let (&[exponent, significand], rest) = numbers.split_first_chunk::<2>()?;
        let op = match (word, rest) {
            ("float.convert", &[exponent, significand]) => FloatOp::Convert(format(exponent, significand)?),
            (_, &[width]) if !(1..=WIDEST).contains(&width) => return None,
            ("float.from_signed", &[width]) => FloatOp::FromSigned(width),
            ("float.from_unsigned", &[width]) => FloatOp::FromUnsigned(width),
            ("float.to_signed", &[width]) => FloatOp::ToSigned(width),
            ("float.to_unsigned", &[width]) => FloatOp::ToUnsigned(width),
            (_, []) => WORDS.iter().find(|(known, _)| *known == word)?.1,
            _ => return None,
        };
        Some((op, format(exponent, significand)?))
    }

    /// What it gives on bits read as unsigned numbers; a truth value is 0 or 1.
    pub fn calculate(self, format: Format, operands: &[&Integer]) -> Integer {
        let bits: Vec<BigUint> =
            operands.iter().map(|bits| bits.to_big().to_biguint().expect("bits read as unsigned")).collect();
        match fold(self, format, &bits.iter().collect::<Vec<_>>()) {
            Folded::Bits(bits) => Integer::from(bits),
            Folded::Bool(truth) => Integer::from(i64::from(truth)),
        }
    }

    /// How many operands it has.
    pub fn arity(self) -> usize {
        match self {
            FloatOp::Fma => 3,
            FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div | FloatOp::Rem => 2,
            FloatOp::Eq | FloatOp::Lt | FloatOp::Le => 2,
            _ => 1,
        }
    }

    /// The width of its operands.
    pub fn operand(self, format: Format) -> u32 {
        match self {
            FloatOp::FromSigned(width) | FloatOp::FromUnsigned(width) => width,
            _ => format.width(),
        }
    }

    /// What it gives.
    pub fn result(self, format: Format) -> FloatResult {
        match self {
            FloatOp::Eq | FloatOp::Lt | FloatOp::Le => FloatResult::Bool,
            FloatOp::Convert(to) => FloatResult::Bits(to.width()),
            FloatOp::ToSigned(width) | FloatOp::ToUnsigned(width) => FloatResult::Bits(width),
            _ => FloatResult::Bits(format.width()),
        }
    }
}

impl Format {
    /// C's `float`.
    pub const SINGLE: Format = Format { exponent: 8, significand: 24 };
    /// C's `double`.
    pub const DOUBLE: Format = Format { exponent: 11, significand: 53 };
    /// C's `long double` on x86, without the leading one that it stores.
    pub const EXTENDED: Format = Format { exponent: 15, significand: 64 };

    /// How many bits a value has.
    pub fn width(self) -> u32 {
        self.exponent + self.significand
    }
}
