//! Exact integers: machine words while they fit, big numbers when they do not.
//!
//! Nearly all constants of programs and proofs fit into 64 bits, so the common case costs one checked machine operation.
//! Invariant: `Integer::Big` never holds a value that fits into an `i64`, so equality and hashing are structural.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer as _;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};
use std::str::FromStr;

/// A mathematical integer.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Integer {
    /// A value that fits into a machine word.
    Small(i64),
    /// A value that does not.
    Big(Box<BigInt>),
}

use Integer::{Big, Small};

impl Integer {
    /// The number 0.
    pub const ZERO: Integer = Small(0);
    /// The number 1.
    pub const ONE: Integer = Small(1);

    /// The value as a machine word, if it fits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match self {
            Small(value) => Some(*value),
            Big(_) => None,
        }
    }

    /// The value as a big number.
    pub fn to_big(&self) -> BigInt {
        match self {
            Small(value) => BigInt::from(*value),
            Big(value) => (**value).clone(),
        }
    }

    /// Is this 0?
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self, Small(0))
    }

    /// Is this 1?
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self, Small(1))
    }

    /// Is this below 0?
    #[inline]
    pub fn is_negative(&self) -> bool {
        match self {
            Small(value) => *value < 0,
            Big(value) => value.is_negative(),
        }
    }

    /// Is this above 0?
    #[inline]
    pub fn is_positive(&self) -> bool {
        !self.is_negative() && !self.is_zero()
    }

    /// The distance from 0.
    pub fn abs(&self) -> Integer {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The greatest common divisor, never negative.
    pub fn gcd(&self, other: &Integer) -> Integer {
        match (self, other) {
            (Small(a), Small(b)) => {
                let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
                while b != 0 {
                    (a, b) = (b, a % b);
                }
                Integer::from(i128::from(a))
            }
            _ => Integer::from(self.to_big().gcd(&other.to_big())),
        }
    }

    /// The quotient rounded towards minus infinity. The divisor is not 0.
    pub fn div_floor(&self, divisor: &Integer) -> Integer {
        match (self, divisor) {
            (Small(a), Small(b)) => Integer::from(num_integer::Integer::div_floor(&i128::from(*a), &i128::from(*b))),
            _ => Integer::from(self.to_big().div_floor(&divisor.to_big())),
        }
    }

    /// The quotient of SMT-LIB's `div`: the remainder is never negative. The divisor is not 0.
    pub fn div_euclid(&self, divisor: &Integer) -> Integer {
        if divisor.is_negative() { -&self.div_floor(&-divisor) } else { self.div_floor(divisor) }
    }

    /// The remainder of SMT-LIB's `mod`, in `0 .. |divisor|`. The divisor is not 0.
    pub fn rem_euclid(&self, divisor: &Integer) -> Integer {
        self - &(divisor * &self.div_euclid(divisor))
    }

    /// Does this divide `other`? Zero divides only zero.
    pub fn divides(&self, other: &Integer) -> bool {
        if self.is_zero() { other.is_zero() } else { other.rem_euclid(self).is_zero() }
    }
}

impl From<i32> for Integer {
    #[inline]
    fn from(value: i32) -> Self {
        Small(i64::from(value))
    }
}

impl From<i64> for Integer {
    #[inline]
    fn from(value: i64) -> Self {
        Small(value)
    }
}

impl From<i128> for Integer {
    #[inline]
    fn from(value: i128) -> Self {
        match i64::try_from(value) {
            Ok(small) => Small(small),
            Err(_) => Big(Box::new(BigInt::from(value))),
        }
    }
}

impl From<BigInt> for Integer {
    fn from(value: BigInt) -> Self {
        match value.to_i64() {
            Some(small) => Small(small),
            None => Big(Box::new(value)),
        }
    }
}

impl From<BigUint> for Integer {
    fn from(value: BigUint) -> Self {
        Integer::from(BigInt::from_biguint(if value.is_zero() { Sign::NoSign } else { Sign::Plus }, value))
    }
}

impl FromStr for Integer {
    type Err = num_bigint::ParseBigIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse::<i64>() {
            Ok(small) => Ok(Small(small)),
            Err(_) => text.parse::<BigInt>().map(Integer::from),
        }
    }
}

impl Neg for &Integer {
    type Output = Integer;

    #[inline]
    fn neg(self) -> Integer {
        match self {
            Small(value) => Integer::from(-i128::from(*value)),
            Big(value) => Integer::from(-&**value),
        }
    }
}

impl Neg for Integer {
    type Output = Integer;

    fn neg(self) -> Integer {
        -&self
    }
}

macro_rules! exact_operation {
    ($trait:ident, $method:ident, $checked:ident) => {
        impl $trait for &Integer {
            type Output = Integer;

            #[inline]
            fn $method(self, other: &Integer) -> Integer {
                if let (Small(a), Small(b)) = (self, other)
                    && let Some(small) = a.$checked(*b)
                {
                    return Small(small);
                }
                Integer::from($trait::$method(self.to_big(), other.to_big()))
            }
        }

        impl $trait for Integer {
            type Output = Integer;

            #[inline]
            fn $method(self, other: Integer) -> Integer {
                $trait::$method(&self, &other)
            }
        }
    };
}

exact_operation!(Add, add, checked_add);
exact_operation!(Sub, sub, checked_sub);
exact_operation!(Mul, mul, checked_mul);

impl AddAssign<&Integer> for Integer {
    #[inline]
    fn add_assign(&mut self, other: &Integer) {
        *self = &*self + other;
    }
}

impl PartialOrd for Integer {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Small(a), Small(b)) => a.cmp(b),
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Small(value) => value.fmt(f),
            Big(value) => value.fmt(f),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> Integer {
        text.parse().expect("a numeral")
    }

    #[test]
    fn arithmetic_crosses_the_word_boundary_and_back() {
        let max = Integer::from(i64::MAX);
        let above = &max + &Integer::ONE;
        assert!(matches!(above, Big(_)));
        assert_eq!(&above - &Integer::ONE, max);
        assert_eq!(-&Integer::from(i64::MIN), above);
        assert_eq!((&max * &max).to_string(), "85070591730234615847396907784232501249");
    }

    #[test]
    fn division_follows_smt_lib() {
        for (a, b, quotient, remainder) in
            [("7", "2", "3", "1"), ("-7", "2", "-4", "1"), ("7", "-2", "-3", "1"), ("-7", "-2", "4", "1")]
        {
            assert_eq!(int(a).div_euclid(&int(b)), int(quotient), "{a} div {b}");
            assert_eq!(int(a).rem_euclid(&int(b)), int(remainder), "{a} mod {b}");
        }
    }

    #[test]
    fn order_and_gcd_work_across_sizes() {
        let big = int("123456789012345678901234567890");
        assert!(big > Integer::from(i64::MAX) && -&big < Integer::from(i64::MIN));
        assert_eq!(big.gcd(&int("30")), int("30"));
        assert_eq!(Integer::from(i64::MIN).gcd(&Integer::ZERO).to_string(), "9223372036854775808");
    }
}
