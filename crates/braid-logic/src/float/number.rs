//! Floats as numbers: read from bits, calculated with exactly, written as the nearest float.

use super::{FloatOp, Format, Rounding};
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer as _;
use num_traits::{One, Signed, Zero};

/// A value, apart from how it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Number {
    Nan,
    Infinite {
        negative: bool,
    },
    /// `significand · 2^exponent`.
    Finite {
        negative: bool,
        significand: BigUint,
        exponent: i64,
    },
}

impl Format {
    fn mask(bits: u32) -> BigUint {
        (BigUint::one() << bits) - 1u32
    }

    /// Positive infinity.
    pub fn infinity(self) -> BigUint {
        Format::mask(self.exponent) << (self.significand - 1)
    }

    /// The one result that is not a number.
    pub fn nan(self) -> BigUint {
        self.infinity() | (BigUint::one() << (self.significand - 2))
    }

    /// The exponent of the last bit of the smallest numbers.
    fn least(self) -> i64 {
        3 - (1i64 << (self.exponent - 1)) - i64::from(self.significand)
    }

    fn read(self, bits: &BigUint) -> Number {
        let negative = bits.bit(u64::from(self.width() - 1));
        let field = (bits >> (self.significand - 1)) & Format::mask(self.exponent);
        let fraction = bits & Format::mask(self.significand - 1);
        if field == Format::mask(self.exponent) {
            return if fraction.is_zero() { Number::Infinite { negative } } else { Number::Nan };
        }
        let field = i64::try_from(field).expect("exponents have few bits");
        if field == 0 {
            return Number::Finite { negative, significand: fraction, exponent: self.least() };
        }
        let significand = fraction | (BigUint::one() << (self.significand - 1));
        Number::Finite { negative, significand, exponent: self.least() + field - 1 }
    }

    /// The nearest float. A significand that was cut off ends with a one, behind at least two bits more than there is room for.
    fn write(self, number: Number) -> BigUint {
        let signed = |negative: bool, rest: BigUint| match negative {
            true => rest | (BigUint::one() << (self.width() - 1)),
            false => rest,
        };
        match number {
            Number::Nan => self.nan(),
            Number::Infinite { negative } => signed(negative, self.infinity()),
            Number::Finite { negative, significand, .. } if significand.is_zero() => signed(negative, significand),
            Number::Finite { negative, significand, exponent } => {
                let last = exponent + significand.bits() as i64 - i64::from(self.significand);
                let last = last.max(self.least());
                // Beyond this, what follows would be infinite anyway.
                if last - self.least() > 1 << self.exponent {
                    return signed(negative, self.infinity());
                }
                let rounded = scaled(&significand, exponent - last, Rounding::NearestEven, negative);
                // The leading one of a normal number is what makes its exponent larger by one.
                let magnitude = rounded + (BigUint::from((last - self.least()) as u64) << (self.significand - 1));
                signed(negative, magnitude.min(self.infinity()))
            }
        }
    }

    /// The float nearest to a quotient of natural numbers, the second not 0.
    fn ratio(self, negative: bool, above: &BigUint, below: &BigUint, exponent: i64) -> BigUint {
        let more = i64::from(self.significand) + 2 + below.bits() as i64 - above.bits() as i64;
        let more = more.max(0);
        let (quotient, rest) = (above << more).div_rem(below);
        let significand = (quotient << 1u32) | BigUint::from(u32::from(!rest.is_zero()));
        self.write(Number::Finite { negative, significand, exponent: exponent - more - 1 })
    }

    /// The nearest float to a literal of C without its suffix: decimal, or hexadecimal with `0x` and `p`.
    pub fn parse(self, text: &str) -> Option<BigUint> {
        let text = text.to_ascii_lowercase();
        let (digits, radix, mark) = match text.strip_prefix("0x") {
            Some(rest) => (rest, 16, 'p'),
            None => (text.as_str(), 10, 'e'),
        };
        let (digits, exponent) = digits.split_once(mark).unwrap_or((digits, "0"));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let significand = BigUint::parse_bytes(format!("{whole}{fraction}").as_bytes(), radix)?;
        let huge = if exponent.starts_with('-') { i64::MIN } else { i64::MAX };
        let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let valid = !unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit());
        let exponent: i64 = exponent.parse().unwrap_or(huge);
        let exponent = exponent.saturating_sub(fraction.len() as i64 * if radix == 16 { 4 } else { 1 });
        // Whatever is this large or small has no digits left.
        let limit = (1i64 << (self.exponent + 1)) + 8 * text.len() as i64;
        if !valid {
            return None;
        }
        Some(if significand.is_zero() || exponent < -limit {
            BigUint::zero()
        } else if exponent > limit {
            self.infinity()
        } else if radix == 16 {
            self.write(Number::Finite { negative: false, significand, exponent })
        } else {
            let power = BigUint::from(10u32).pow(exponent.unsigned_abs() as u32);
            let one = BigUint::one();
            match exponent < 0 {
                true => self.ratio(false, &significand, &power, 0),
                false => self.ratio(false, &(significand * power), &one, 0),
            }
        })
    }
}

/// `significand · 2^by`, as an integer.
fn scaled(significand: &BigUint, by: i64, rounding: Rounding, negative: bool) -> BigUint {
    if by >= 0 {
        return significand << by;
    }
    let away = by.unsigned_abs();
    let (whole, rest) = (significand >> away, significand & ((BigUint::one() << away) - 1u32));
    let half = BigUint::one() << (away - 1);
    let up = match rounding {
        Rounding::NearestEven => rest > half || (rest == half && whole.is_odd()),
        Rounding::NearestAway => rest >= half,
        Rounding::Down => negative && !rest.is_zero(),
        Rounding::Up => !negative && !rest.is_zero(),
        Rounding::Zero => false,
    };
    whole + u32::from(up)
}

/// Two finite numbers as integers over one exponent.
fn aligned(a: (&BigUint, i64), b: (&BigUint, i64)) -> (BigUint, BigUint, i64) {
    let exponent = a.1.min(b.1);
    (a.0 << (a.1 - exponent), b.0 << (b.1 - exponent), exponent)
}

fn sum(a: Number, b: Number) -> Number {
    use Number::{Finite, Infinite, Nan};
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite { negative: a }, Infinite { negative: b }) if a != b => Nan,
        (Infinite { negative }, _) | (_, Infinite { negative }) => Infinite { negative },
        (
            Finite { negative: minus_a, significand: a, exponent: at_a },
            Finite { negative: minus_b, significand: b, exponent: at_b },
        ) => {
            let (a, b, exponent) = aligned((&a, at_a), (&b, at_b));
            let signed = |negative, value| BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, value);
            let total = signed(minus_a, a) + signed(minus_b, b);
            let negative = if total.is_zero() { minus_a && minus_b } else { total.is_negative() };
            Finite { negative, significand: total.magnitude().clone(), exponent }
        }
    }
}

fn product(a: &Number, b: &Number) -> Number {
    use Number::{Finite, Infinite, Nan};
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite { negative: a }, Infinite { negative: b }) => Infinite { negative: a != b },
        (Infinite { negative: a }, Finite { negative: b, significand, .. })
        | (Finite { negative: b, significand, .. }, Infinite { negative: a }) => match significand.is_zero() {
            true => Nan,
            false => Infinite { negative: a != b },
        },
        (
            Finite { negative: minus_a, significand: a, exponent: at_a },
            Finite { negative: minus_b, significand: b, exponent: at_b },
        ) => Finite { negative: minus_a != minus_b, significand: a * b, exponent: at_a + at_b },
    }
}

fn quotient(a: Number, b: Number, format: Format) -> BigUint {
    use Number::{Finite, Infinite, Nan};
    format.write(match (a, b) {
        (Nan, _) | (_, Nan) | (Infinite { .. }, Infinite { .. }) => Nan,
        (Infinite { negative: a }, Finite { negative: b, .. }) => Infinite { negative: a != b },
        (Finite { negative: a, .. }, Infinite { negative: b }) => {
            Finite { negative: a != b, significand: BigUint::zero(), exponent: 0 }
        }
        (
            Finite { negative: minus_a, significand: a, exponent: at_a },
            Finite { negative: minus_b, significand: b, exponent: at_b },
        ) => match (a.is_zero(), b.is_zero()) {
            (true, true) => Nan,
            (false, true) => Infinite { negative: minus_a != minus_b },
            _ => return format.ratio(minus_a != minus_b, &a, &b, at_a - at_b),
        },
    })
}

fn remainder(a: Number, b: Number) -> Number {
    use Number::{Finite, Infinite, Nan};
    match (a, b) {
        (Nan, _) | (_, Nan) | (Infinite { .. }, _) => Nan,
        (a, Infinite { .. }) => a,
        (Finite { .. }, Finite { significand, .. }) if significand.is_zero() => Nan,
        (Finite { negative, significand: a, exponent: at_a }, Finite { significand: b, exponent: at_b, .. }) => {
            let (a, b, exponent) = aligned((&a, at_a), (&b, at_b));
            let (whole, rest) = a.div_rem(&b);
            let twice = &rest << 1u32;
            match twice > b || (twice == b && whole.is_odd()) {
                true => Finite { negative: !negative, significand: b - rest, exponent },
                false => Finite { negative, significand: rest, exponent },
            }
        }
    }
}

fn square_root(a: Number, format: Format) -> Number {
    match a {
        Number::Finite { negative, significand, exponent } if !negative && !significand.is_zero() => {
            let more = (2 * i64::from(format.significand) + 6 - significand.bits() as i64).max(0);
            let more = more + (exponent - more).rem_euclid(2);
            let square = significand << more;
            let root = square.sqrt();
            let cut = u32::from(&root * &root != square);
            Number::Finite {
                negative,
                significand: (root << 1u32) | BigUint::from(cut),
                exponent: (exponent - more) / 2 - 1,
            }
        }
        Number::Finite { significand, .. } if !significand.is_zero() => Number::Nan,
        Number::Infinite { negative: true } => Number::Nan,
        other => other,
    }
}

/// The integer that is left without the fraction, if it lies in two's complement, or among the unsigned numbers, of a width.
fn integer(a: &Number, width: u32, is_signed: bool) -> BigUint {
    let Number::Finite { negative, significand, exponent } = a else { return BigUint::zero() };
    // Whatever has more bits does not fit.
    if *exponent > i64::from(width) {
        return BigUint::zero();
    }
    let value = scaled(significand, *exponent, Rounding::Zero, *negative);
    let period = BigUint::one() << width;
    let least = if is_signed { &period >> 1u32 } else { BigUint::zero() };
    match negative {
        true if !value.is_zero() && value <= least => period - value,
        false if value < &period - &least => value,
        _ => BigUint::zero(),
    }
}

/// A position on the line of numbers, the same for both zeros.
fn position(format: Format, bits: &BigUint) -> BigInt {
    let magnitude = BigInt::from(bits & Format::mask(format.width() - 1));
    if bits.bit(u64::from(format.width() - 1)) { -magnitude } else { magnitude }
}

/// A result in bits or as a truth value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Folded {
    /// Bits.
    Bits(BigUint),
    /// A truth value.
    Bool(bool),
}

/// What an operation gives.
pub fn fold(op: FloatOp, format: Format, operands: &[&BigUint]) -> Folded {
    let at = |position: usize| format.read(operands[position]);
    let bits = operands[0];
    let from_integer = |negative: bool, significand: BigUint| Number::Finite { negative, significand, exponent: 0 };
    let number = match op {
        FloatOp::Eq | FloatOp::Lt | FloatOp::Le => {
            let ordered = at(0) != Number::Nan && at(1) != Number::Nan;
            let (a, b) = (position(format, bits), position(format, operands[1]));
            return Folded::Bool(
                ordered
                    && match op {
                        FloatOp::Eq => a == b,
                        FloatOp::Lt => a < b,
                        _ => a <= b,
                    },
            );
        }
        FloatOp::Add => sum(at(0), at(1)),
        FloatOp::Sub => sum(at(0), negated(at(1))),
        FloatOp::Mul => product(&at(0), &at(1)),
        FloatOp::Div => return Folded::Bits(quotient(at(0), at(1), format)),
        FloatOp::Rem => remainder(at(0), at(1)),
        FloatOp::Fma => sum(product(&at(0), &at(1)), at(2)),
        FloatOp::Sqrt => square_root(at(0), format),
        FloatOp::Round(rounding) => match at(0) {
            Number::Finite { negative, significand, exponent } if exponent < 0 => {
                from_integer(negative, scaled(&significand, exponent, rounding, negative))
            }
            other => other,
        },
        FloatOp::Convert(to) => return Folded::Bits(to.write(at(0))),
        FloatOp::FromSigned(width) if bits.bit(u64::from(width - 1)) => {
            from_integer(true, (BigUint::one() << width) - bits)
        }
        FloatOp::FromSigned(_) | FloatOp::FromUnsigned(_) => from_integer(false, bits.clone()),
        FloatOp::ToSigned(width) => return Folded::Bits(integer(&at(0), width, true)),
        FloatOp::ToUnsigned(width) => return Folded::Bits(integer(&at(0), width, false)),
    };
    Folded::Bits(format.write(number))
}

fn negated(number: Number) -> Number {
    match number {
        Number::Nan => Number::Nan,
        Number::Infinite { negative } => Number::Infinite { negative: !negative },
        Number::Finite { negative, significand, exponent } => {
            Number::Finite { negative: !negative, significand, exponent }
        }
    }
}
