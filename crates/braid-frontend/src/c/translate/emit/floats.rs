//! Floating-point values: bits, where integers are bits. Among mathematical integers they are dropped: nothing may depend on
//! one there, so each is 0, and there are no cells for them. An attempt that meets such a dependence is repeated with bits.
//!
//! So a program that only moves floats around, or prints them, does not pay for them.

use crate::c::floats;
use crate::c::translate::{Ints, LibraryCall, Operation, Result, Scalar, Stop, Translator, Value, reject};
use crate::c::tree::{self, CompareOp};
use braid_logic::{BvOp, FloatOp, Format, Integer, Rounding};
use braid_program::ast;
use braid_program::ast::Check;
use braid_program::ast::build;
use braid_program::source::Span;

impl Translator<'_, '_> {
    /// Does nothing depend on values of the type?
    pub(crate) fn drops(&self, scalar: Scalar) -> bool {
        scalar.is_float() && self.ints == Ints::Math
    }

    /// A value in another type, as C converts it.
    pub(crate) fn converted(&mut self, from: Scalar, to: Scalar, value: Value, span: Span) -> Result<Value> {
        if self.drops(to) {
            return Ok(self.number(to, 0, span));
        }
        if self.drops(from) {
            return Err(Stop::NeedsBits(span));
        }
        let (op, format, value) = match (from, to) {
            (Scalar::Float(from), Scalar::Float(to)) if from != to => (FloatOp::Convert(to), from, value),
            (Scalar::Float(format), Scalar::Int { bits, signed }) => {
                let value = self.fitting(format, bits, signed, value, span);
                (floats::to_integer(bits, signed), format, value)
            }
            (Scalar::Int { .. } | Scalar::Bool, Scalar::Float(format)) => {
                (floats::from_integer(from.bits(), from.is_signed()), format, value)
            }
            _ => return Ok(self.ints.convert(from, to, value, span)),
        };
        let expr = build::float(op, format, vec![value.expr], span);
        Ok(self.ints.any(to, expr, value.reads))
    }

    /// A float that becomes an integer: without its fraction it must be one of the type (C11 6.3.1.4).
    fn fitting(&mut self, format: Format, bits: u32, signed: bool, value: Value, span: Span) -> Value {
        if !self.requires(Check::Undefined) {
            return value;
        }
        let (value, scalar) = (self.settled(value, span), Scalar::Float(format));
        let whole = build::float(FloatOp::Round(Rounding::Zero), format, vec![value.expr.clone()], span);
        let (low, high) = floats::limits(format, bits, signed);
        let limit = |bits| self.ints.constant(scalar, bits, span).expr;
        let above = self.ints.compare(CompareOp::LessEqual, scalar, limit(&low), whole.clone(), span);
        let below = self.ints.compare(CompareOp::Less, scalar, whole, limit(&high), span);
        self.require(Check::Undefined, build::and(above, below, span), span);
        value
    }

    /// `a op b`. Whatever comes out is defined.
    pub(crate) fn float_binary(&mut self, it: Operation, format: Format, a: Value, b: Value) -> Result<Value> {
        let Operation { scalar, span, .. } = it;
        let Some(op) = floats::arithmetic(it.op) else { return reject(span, "floats have no such operator") };
        if self.drops(scalar) {
            return Ok(self.number(scalar, 0, span));
        }
        let expr = build::float(op, format, vec![a.expr, b.expr], span);
        Ok(self.ints.any(scalar, expr, a.reads || b.reads))
    }

    /// An operation of the library; without one: the first argument with the sign of the second.
    pub(crate) fn float_call(&mut self, op: Option<FloatOp>, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        let operands = call.arguments.iter().map(|argument| Ok(self.stable(argument, span)?.expr));
        let operands = operands.collect::<Result<Vec<_>>>()?;
        let Some(scalar @ Scalar::Float(format)) = self.scalar(&call.expr.ty) else {
            return reject(span, "floats are expected here");
        };
        if self.drops(scalar) {
            return Ok(vec![self.number(scalar, 0, span)]);
        }
        let expr = match (op, &operands[..]) {
            (Some(op), _) => build::float(op, format, operands, span),
            (None, [a, b]) => {
                let is_open = build::numeral(b).is_none();
                self.assumptions.extend(is_open.then_some(crate::Assumption::Nan));
                let high = format.width() - 1;
                let known = build::numeral(a).zip(build::numeral(b)).map(|(a, b)| {
                    let is_negative = |bits: &Integer| *bits >= build::power(high);
                    if is_negative(a) == is_negative(b) { a.clone() } else { floats::negated(format, a) }
                });
                match known {
                    Some(known) => build::bits(&known, format.width(), span),
                    None => {
                        let cut = |bits: &ast::Expr, high, low| {
                            build::bv(BvOp::Extract { high, low }, vec![bits.clone()], span)
                        };
                        build::bv(BvOp::Concat, vec![cut(b, high, high), cut(a, high - 1, 0)], span)
                    }
                }
            }
            _ => return reject(span, "two floats are expected here"),
        };
        Ok(vec![self.ints.any(scalar, expr, false)])
    }

    /// Do two floats have the same bits?
    pub(crate) fn same_bits(&mut self, a: &tree::Expr, b: &tree::Expr, call: LibraryCall<'_>) -> Result<Value> {
        let (span, scalar) = (call.expr.span, self.scalar(&call.expr.ty).unwrap_or(Scalar::INT));
        if self.ints == Ints::Math {
            return Err(Stop::NeedsBits(span));
        }
        self.assumptions.insert(crate::Assumption::Nan);
        let (a, b) = self.both(a, b)?;
        let reads = a.reads || b.reads;
        Ok(self.ints.of_truth(build::eq(a.expr, b.expr, span), scalar, reads, span))
    }

    /// `-a`: the other sign, also of what is not a number.
    pub(crate) fn negated_float(&self, format: Format, a: Value, span: Span) -> Value {
        let scalar = Scalar::Float(format);
        if self.drops(scalar) {
            return a;
        }
        let expr = match build::numeral(&a.expr) {
            Some(known) => build::bits(&floats::negated(format, known), format.width(), span),
            None => {
                let sign = build::bits(&build::power(format.width() - 1), format.width(), span);
                build::bv(BvOp::Xor, vec![a.expr, sign], span)
            }
        };
        self.ints.any(scalar, expr, a.reads)
    }
}
