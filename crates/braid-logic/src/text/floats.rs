//! Operators on floats as text: a symbol such as `float.add.8.24`, and what it means in SMT-LIB's theory `FloatingPoint`.
//!
//! SMT-LIB has a sort of its own for floats and leaves open which bits are not a number; here floats are bits, and that is
//! one pattern. So each operator is a defined function: read the bits, calculate, write bits. Scripts hold the
//! definitions of those that occur; to linked Z3 the same text is given.

use super::operators::Call;
use crate::float::{FloatOp, FloatResult, Folded, Format, Rounding, fold};
use crate::sexpr::TextError;
use crate::sort::SortKind;
use crate::term::{BvOp, Term};
use num_bigint::BigUint;
use num_traits::One;

/// The symbol of an operator.
pub(super) fn float_name(op: FloatOp, format: Format) -> String {
    let (word, numbers) = op.head(format);
    numbers.iter().fold(word.to_owned(), |name, number| format!("{name}.{number}"))
}

/// The operator of a symbol.
pub(super) fn named_float(name: &str) -> Option<(FloatOp, Format)> {
    let mut parts = name.strip_prefix("float.")?.split('.');
    let word = format!("float.{}", parts.next()?);
    let numbers: Vec<u32> = parts.map(|part| part.parse().ok()).collect::<Option<_>>()?;
    FloatOp::named(&word, &numbers).filter(|&(op, format)| float_name(op, format) == name)
}

impl Call<'_> {
    /// An operator on floats.
    pub(super) fn float(&self, op: FloatOp, format: Format) -> Result<Term, TextError> {
        self.arity(op.arity())?;
        let sort = self.pool.sort(SortKind::BitVec(op.operand(format)));
        (0..self.terms.len()).try_for_each(|position| self.expect(position, sort))?;
        Ok(self.pool.bv(BvOp::Float(op, format), self.terms))
    }
}

/// Bits as a float of SMT-LIB.
pub(crate) fn from_bits(format: Format, bits: &str) -> String {
    format!("((_ to_fp {} {}) {bits})", format.exponent, format.significand)
}

/// A float of SMT-LIB as bits.
pub(crate) fn to_bits(format: Format, float: &str) -> String {
    let nan = format!("(_ bv{} {})", format.nan(), format.width());
    format!("(let ((float!r {float})) (ite (fp.isNaN float!r) {nan} (fp.to_ieee_bv float!r)))")
}

/// An operator on floats of SMT-LIB; from integers, on bits. The result is a float, an integer's bits or a truth value.
pub(crate) fn applied(op: FloatOp, format: Format, operands: &[&str]) -> String {
    let all = operands.join(" ");
    let to_fp = |name: &str, to: Format| format!("((_ {name} {} {}) RNE {all})", to.exponent, to.significand);
    let name = match op {
        FloatOp::Add => "fp.add RNE",
        FloatOp::Sub => "fp.sub RNE",
        FloatOp::Mul => "fp.mul RNE",
        FloatOp::Div => "fp.div RNE",
        FloatOp::Fma => "fp.fma RNE",
        FloatOp::Sqrt => "fp.sqrt RNE",
        FloatOp::Rem => "fp.rem",
        FloatOp::Round(Rounding::NearestEven) => "fp.roundToIntegral RNE",
        FloatOp::Round(Rounding::NearestAway) => "fp.roundToIntegral RNA",
        FloatOp::Round(Rounding::Down) => "fp.roundToIntegral RTN",
        FloatOp::Round(Rounding::Up) => "fp.roundToIntegral RTP",
        FloatOp::Round(Rounding::Zero) => "fp.roundToIntegral RTZ",
        FloatOp::Eq => "fp.eq",
        FloatOp::Lt => "fp.lt",
        FloatOp::Le => "fp.leq",
        FloatOp::Convert(to) => return to_fp("to_fp", to),
        FloatOp::FromSigned(_) => return to_fp("to_fp", format),
        FloatOp::FromUnsigned(_) => return to_fp("to_fp_unsigned", format),
        FloatOp::ToSigned(width) => return integer(format, width, true, &all),
        FloatOp::ToUnsigned(width) => return integer(format, width, false, &all),
    };
    format!("({name} {all})")
}

/// SMT-LIB leaves open what does not fit; here that is 0.
fn integer(format: Format, width: u32, is_signed: bool, float: &str) -> String {
    let limit = BigUint::one() << if is_signed { width - 1 } else { width };
    let Folded::Bits(high) = fold(FloatOp::FromUnsigned(width + 1), format, &[&limit]) else {
        unreachable!("a conversion gives bits")
    };
    let low = if is_signed { &high | (BigUint::one() << (format.width() - 1)) } else { BigUint::ZERO };
    let constant = |bits: BigUint| from_bits(format, &format!("(_ bv{bits} {})", format.width()));
    let name = if is_signed { "fp.to_sbv" } else { "fp.to_ubv" };
    format!(
        "(let ((float!t (fp.roundToIntegral RTZ {float}))) (ite (and (not (fp.isZero float!t)) \
         (not (fp.isInfinite float!t)) (fp.leq {} float!t) (fp.lt float!t {})) ((_ {name} {width}) RTZ float!t) (_ bv0 {width})))",
        constant(low),
        constant(high)
    )
}

/// The definition of an operator, for scripts.
pub(super) fn definition(op: FloatOp, format: Format) -> String {
    let names = &["float!a", "float!b", "float!c"][..op.arity()];
    let is_from_integer = matches!(op, FloatOp::FromSigned(_) | FloatOp::FromUnsigned(_));
    let read: Vec<String> =
        names.iter().map(|name| if is_from_integer { (*name).to_owned() } else { from_bits(format, name) }).collect();
    let body = applied(op, format, &read.iter().map(String::as_str).collect::<Vec<_>>());
    let (body, result) = match (op, op.result(format)) {
        (_, FloatResult::Bool) => (body, "Bool".to_owned()),
        (FloatOp::ToSigned(_) | FloatOp::ToUnsigned(_), FloatResult::Bits(width)) => {
            (body, format!("(_ BitVec {width})"))
        }
        (FloatOp::Convert(to), FloatResult::Bits(width)) => (to_bits(to, &body), format!("(_ BitVec {width})")),
        (_, FloatResult::Bits(width)) => (to_bits(format, &body), format!("(_ BitVec {width})")),
    };
    let width = op.operand(format);
    let parameters: Vec<String> = names.iter().map(|name| format!("({name} (_ BitVec {width}))")).collect();
    format!("(define-fun {} ({}) {result} {body})", float_name(op, format), parameters.join(" "))
}
