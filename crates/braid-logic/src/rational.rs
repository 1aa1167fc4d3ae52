//! Exact rationals: machine words while they fit, big numbers when they do not.
//!
//! The simplex tableau is made of these. Nearly all its entries are small integers, so every operation first tries one
//! checked machine operation on integers, then machine fractions in 128 bits, then big numbers.
//! Invariant: fractions are reduced, denominators positive, and `Big` never holds what `Small` could.

use crate::number::Integer;
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One, Signed, ToPrimitive};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A rational number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// Numerator and denominator, which is at least 1.
    Small(i64, u32),
    /// Numerator and denominator, where one does not fit above.
    Big(Box<(BigInt, BigInt)>),
}

use Repr::{Big, Small};

impl Rational {
    /// The number 0.
    pub const ZERO: Rational = Rational(Small(0, 1));
    /// The number 1.
    pub const ONE: Rational = Rational(Small(1, 1));

    /// `numerator / denominator`. The denominator is not 0.
    pub fn new(numerator: &Integer, denominator: &Integer) -> Rational {
        match (numerator, denominator) {
            (Integer::Small(n), Integer::Small(d)) => Self::from_words(i128::from(*n), i128::from(*d)),
            _ => Self::from_big(numerator.to_big(), denominator.to_big()),
        }
    }

    fn from_words(mut n: i128, mut d: i128) -> Rational {
        if d < 0 {
            match (n.checked_neg(), d.checked_neg()) {
                (Some(m), Some(e)) => (n, d) = (m, e),
                _ => return Self::from_big(n.into(), d.into()),
            }
        }
        if d != 1 {
            let divisor = gcd(n.unsigned_abs(), d.unsigned_abs()) as i128;
            (n, d) = (n / divisor, d / divisor);
        }
        match (i64::try_from(n), u32::try_from(d)) {
            (Ok(n), Ok(d)) => Rational(Small(n, d)),
            _ => Self::from_big(n.into(), d.into()),
        }
    }

    #[cold]
    fn from_big(mut n: BigInt, mut d: BigInt) -> Rational {
        if d.is_negative() {
            (n, d) = (-n, -d);
        }
        let divisor = n.gcd(&d);
        if !divisor.is_one() {
            (n, d) = (n / &divisor, d / divisor);
        }
        match (n.to_i64(), d.to_u32()) {
            (Some(n), Some(d)) => Rational(Small(n, d)),
            _ => Rational(Big(Box::new((n, d)))),
        }
    }

    fn to_big(&self) -> (BigInt, BigInt) {
        match &self.0 {
            Small(n, d) => (BigInt::from(*n), BigInt::from(*d)),
            Big(parts) => (**parts).clone(),
        }
    }

    /// The numerator of the reduced fraction.
    pub fn numerator(&self) -> Integer {
        match &self.0 {
            Small(n, _) => Integer::from(*n),
            Big(parts) => Integer::from(parts.0.clone()),
        }
    }

    /// The denominator of the reduced fraction, at least 1.
    pub fn denominator(&self) -> Integer {
        match &self.0 {
            Small(_, d) => Integer::from(i64::from(*d)),
            Big(parts) => Integer::from(parts.1.clone()),
        }
    }

    /// The value, if it is an integer.
    #[inline]
    pub fn to_integer(&self) -> Option<Integer> {
        match &self.0 {
            Small(n, 1) => Some(Integer::from(*n)),
            Small(..) => None,
            Big(parts) => parts.1.is_one().then(|| Integer::from(parts.0.clone())),
        }
    }

    /// Is this an integer?
    #[inline]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Small(_, d) => *d == 1,
            Big(parts) => parts.1.is_one(),
        }
    }

    /// The greatest integer that is not above this.
    pub fn floor(&self) -> Integer {
        if let Small(n, 1) = &self.0 {
            return Integer::from(*n);
        }
        self.numerator().div_floor(&self.denominator())
    }

    /// How many times slower than a machine operation one on this number is, roughly.
    #[inline]
    pub(crate) fn weight(&self) -> u32 {
        match &self.0 {
            Small(..) => 1,
            Big(parts) => 50 + (parts.0.bits() + parts.1.bits()).min(1 << 20) as u32,
        }
    }

    /// Is this 0?
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0, _))
    }

    /// Is this below 0?
    #[inline]
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Small(n, _) => *n < 0,
            Big(parts) => parts.0.is_negative(),
        }
    }

    /// Is this above 0?
    #[inline]
    pub fn is_positive(&self) -> bool {
        !self.is_negative() && !self.is_zero()
    }

    /// The distance from 0.
    pub fn abs(&self) -> Rational {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// `1 / self`. The number is not 0.
    #[inline]
    pub fn reciprocal(&self) -> Rational {
        match &self.0 {
            Small(1, 1) => Rational::ONE,
            Small(-1, 1) => Rational(Small(-1, 1)),
            Small(n, d) => Self::from_words(i128::from(*d), i128::from(*n)),
            Big(parts) => Self::from_big(parts.1.clone(), parts.0.clone()),
        }
    }

    /// `self += factor · other`, the inner loop of pivoting.
    #[inline]
    pub fn add_product(&mut self, factor: &Rational, other: &Rational) {
        if let (Small(a, 1), Small(b, 1), Small(c, 1)) = (&mut self.0, &factor.0, &other.0)
            && let Some(product) = b.checked_mul(*c)
            && let Some(sum) = a.checked_add(product)
        {
            *a = sum;
        } else {
            *self = &*self + &(factor * other);
        }
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    if let (Ok(x), Ok(y)) = (u64::try_from(a), u64::try_from(b)) {
        let (mut x, mut y) = (x, y);
        while y != 0 {
            (x, y) = (y, x % y);
        }
        return u128::from(x);
    }
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl From<i64> for Rational {
    #[inline]
    fn from(value: i64) -> Self {
        Rational(Small(value, 1))
    }
}

impl From<&Integer> for Rational {
    #[inline]
    fn from(value: &Integer) -> Self {
        match value {
            Integer::Small(n) => Rational(Small(*n, 1)),
            Integer::Big(n) => Rational(Big(Box::new(((**n).clone(), BigInt::one())))),
        }
    }
}

impl Neg for &Rational {
    type Output = Rational;

    #[inline]
    fn neg(self) -> Rational {
        match &self.0 {
            Small(n, d) if *n != i64::MIN => Rational(Small(-n, *d)),
            _ => {
                let (n, d) = self.to_big();
                Rational::from_big(-n, d)
            }
        }
    }
}

macro_rules! sum_operation {
    ($trait:ident, $method:ident, $checked:ident) => {
        impl $trait for &Rational {
            type Output = Rational;

            #[inline]
            fn $method(self, other: &Rational) -> Rational {
                match (&self.0, &other.0) {
                    (Small(a, 1), Small(b, 1)) => match a.$checked(*b) {
                        Some(sum) => Rational(Small(sum, 1)),
                        None => Rational::from_words(i128::from(*a).$method(i128::from(*b)), 1),
                    },
                    // 64 + 32 bits each: the sum fits into 128.
                    (Small(a, b), Small(c, d)) => {
                        let left = i128::from(*a) * i128::from(*d);
                        let right = i128::from(*c) * i128::from(*b);
                        Rational::from_words(left.$method(right), i128::from(*b) * i128::from(*d))
                    }
                    _ => {
                        let ((a, b), (c, d)) = (self.to_big(), other.to_big());
                        Rational::from_big((a * &d).$method(c * &b), b * d)
                    }
                }
            }
        }
    };
}

sum_operation!(Add, add, checked_add);
sum_operation!(Sub, sub, checked_sub);

impl Mul for &Rational {
    type Output = Rational;

    #[inline]
    fn mul(self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (Small(a, 1), Small(b, 1)) => match a.checked_mul(*b) {
                Some(product) => Rational(Small(product, 1)),
                None => Rational::from_words(i128::from(*a) * i128::from(*b), 1),
            },
            (Small(a, b), Small(c, d)) => {
                Rational::from_words(i128::from(*a) * i128::from(*c), i128::from(*b) * i128::from(*d))
            }
            _ => {
                let ((a, b), (c, d)) = (self.to_big(), other.to_big());
                Rational::from_big(a * c, b * d)
            }
        }
    }
}

impl Div for &Rational {
    type Output = Rational;

    #[inline]
    #[allow(clippy::suspicious_arithmetic_impl, reason = "a quotient is the product with the reciprocal")]
    fn div(self, divisor: &Rational) -> Rational {
        self * &divisor.reciprocal()
    }
}

impl PartialOrd for Rational {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a, b), Small(c, d)) if b == d => a.cmp(c),
            (Small(a, b), Small(c, d)) => (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b))),
            _ => {
                let ((a, b), (c, d)) = (self.to_big(), other.to_big());
                (a * d).cmp(&(c * b))
            }
        }
    }
}

impl Default for Rational {
    fn default() -> Self {
        Rational::ZERO
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_integer() {
            Some(value) => value.fmt(f),
            None => write!(f, "{}/{}", self.numerator(), self.denominator()),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(n: i64, d: i64) -> Rational {
        Rational::new(&Integer::from(n), &Integer::from(d))
    }

    #[test]
    fn fractions_are_reduced() {
        for (value, expected) in [
            (ratio(6, -4), "-3/2"),
            (&ratio(1, 3) + &ratio(2, 3), "1"),
            (&ratio(1, 3) - &ratio(1, 2), "-1/6"),
            (&ratio(2, 3) * &ratio(3, 4), "1/2"),
            (&ratio(2, 3) / &ratio(-4, 3), "-1/2"),
            (ratio(-7, 2).reciprocal(), "-2/7"),
        ] {
            assert_eq!(value.to_string(), expected);
        }
        assert_eq!(ratio(-7, 2).floor(), Integer::from(-4));
        assert!(ratio(1, 3) < ratio(1, 2) && ratio(-1, 3) > ratio(-1, 2));
    }

    #[test]
    fn words_overflow_into_big_numbers_and_come_back() {
        let huge = ratio(i64::MAX, 1);
        let fine = ratio(1, i64::MAX);
        assert_eq!(&huge * &fine, Rational::ONE);
        assert_eq!(&(&huge + &huge) - &huge, huge);
        assert_eq!(-&-&ratio(i64::MIN, 1), ratio(i64::MIN, 1));
        let mut sum = huge.clone();
        sum.add_product(&huge, &huge);
        sum.add_product(&huge, &-&huge);
        assert_eq!(sum, huge);
        assert!(fine > Rational::ZERO && fine < ratio(1, 1 << 40));
    }
}
