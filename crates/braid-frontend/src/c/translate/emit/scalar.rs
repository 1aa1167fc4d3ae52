//! The scalar types of C as the translation sees them, and values of them.

use crate::c::floats;
use crate::c::tree::{DataModel, Type};
use braid_logic::{Format, Integer};
use braid_program::ast::Expr;
use braid_program::ast::build::power;

/// `unsigned char`.
pub const BYTE: Scalar = Scalar::Int { bits: 8, signed: false };

/// A type of single values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    Int {
        bits: u32,
        signed: bool,
    },
    /// `_Bool`: 0 or 1.
    Bool,
    /// An address, of so many bits.
    Pointer(u32),
    /// A floating-point value, as its bits; among mathematical integers it is dropped (`floats`).
    Float(Format),
}

impl Scalar {
    /// The scalar type of a C type; none for records, arrays and `void`.
    pub fn of(ty: &Type, model: DataModel) -> Option<Scalar> {
        Some(match ty {
            Type::Int { bits, signed, .. } => Scalar::Int { bits: *bits, signed: *signed },
            Type::Bool => Scalar::Bool,
            Type::Float { .. } => Scalar::Float(floats::format(ty)?),
            Type::Pointer(_) | Type::Function(_) => Scalar::pointer(model),
            Type::Void | Type::Array(..) | Type::Sized(..) | Type::Record(_) => return None,
        })
    }

    pub fn pointer(model: DataModel) -> Scalar {
        Scalar::Pointer(match model {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        })
    }

    /// C's `int`.
    pub const INT: Scalar = Scalar::Int { bits: 32, signed: true };

    pub fn is_float(self) -> bool {
        matches!(self, Scalar::Float(_))
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::Int { signed: true, .. })
    }

    /// How many bits a value has.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Int { bits, .. } | Scalar::Pointer(bits) => bits,
            Scalar::Bool => 1,
            Scalar::Float(format) => format.width(),
        }
    }

    /// The least and the greatest value.
    pub fn range(self) -> Range {
        match self {
            Scalar::Int { bits, signed: true } => {
                let half = power(bits - 1);
                Range { low: -&half, high: &half - &Integer::ONE }
            }
            other => Range { low: Integer::ZERO, high: &power(other.bits()) - &Integer::ONE },
        }
    }
}

/// All integers between two, both included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    pub low: Integer,
    pub high: Integer,
}

impl Range {
    pub fn point(value: Integer) -> Range {
        Range { low: value.clone(), high: value }
    }

    pub fn truth() -> Range {
        Range { low: Integer::ZERO, high: Integer::ONE }
    }

    pub fn within(&self, other: &Range) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    pub fn is_natural(&self) -> bool {
        !self.low.is_negative()
    }

    pub fn hull(&self, other: &Range) -> Range {
        let min = |a: &Integer, b: &Integer| if a <= b { a.clone() } else { b.clone() };
        let max = |a: &Integer, b: &Integer| if a >= b { a.clone() } else { b.clone() };
        Range { low: min(&self.low, &other.low), high: max(&self.high, &other.high) }
    }

    /// What is in both; `other` where that is nothing.
    pub fn clip(&self, other: &Range) -> Range {
        let low = if self.low < other.low { &other.low } else { &self.low };
        let high = if self.high > other.high { &other.high } else { &self.high };
        if low <= high { Range { low: low.clone(), high: high.clone() } } else { other.clone() }
    }

    /// The hull of a function's values at the corners.
    pub fn corners(&self, other: &Range, f: impl Fn(&Integer, &Integer) -> Integer) -> Range {
        let mut hull = Range::point(f(&self.low, &other.low));
        for (a, b) in [(&self.low, &other.high), (&self.high, &other.low), (&self.high, &other.high)] {
            hull = hull.hull(&Range::point(f(a, b)));
        }
        hull
    }
}

/// The value of a C expression: an expression without side effects.
#[derive(Clone, Debug)]
pub struct Value {
    pub expr: Expr,
    /// What is known of it without looking at the program's state.
    pub range: Range,
    /// Does it read memory that another thread may write? At most one such read is in it.
    pub reads: bool,
}
