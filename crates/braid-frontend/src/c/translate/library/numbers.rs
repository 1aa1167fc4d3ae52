//! Functions that calculate: the result is exactly what the library says.

use super::LibraryCall;
use crate::c::translate::scalar::{Scalar, Value};
use crate::c::translate::{Result, Translator, build};
use crate::c::tree::{BinaryOp, CompareOp, UnaryOp};

impl Translator<'_, '_> {
    pub(super) fn number_call(&mut self, call: LibraryCall<'_>) -> Result<Option<Vec<Value>>> {
        let span = call.expr.span;
        let [argument] = call.arguments else { return Ok(None) };
        let Some(scalar @ Scalar::Int { .. }) = self.scalar(&argument.ty) else { return Ok(None) };
        let Some(result) = self.scalar(&call.expr.ty).filter(|&scalar| scalar != Scalar::Float) else {
            return Ok(None);
        };
        match call.name {
            "abs" | "labs" | "llabs" | "__builtin_abs" | "__builtin_labs" | "__builtin_llabs" => {
                let value = self.value(argument)?;
                let value = self.settled(value, span);
                let zero = self.number(scalar, 0, span).expr;
                let negative = self.ints.compare(CompareOp::Less, scalar, value.expr.clone(), zero, span);
                let opposite = self.unary(UnaryOp::Negate, scalar, value.clone(), span)?;
                let expr = build::ite(negative, opposite.expr, value.expr, span);
                let absolute = self.ints.any(scalar, expr, false);
                Ok(Some(vec![self.ints.convert(scalar, result, absolute, span)]))
            }
            // The number of the lowest bit that is set, counted from 1; 0 if there is none.
            "ffs" | "ffsl" | "ffsll" | "__builtin_ffs" | "__builtin_ffsl" | "__builtin_ffsll" => {
                let value = self.value(argument)?;
                let value = self.settled(value, span);
                let mut found = self.number(result, 0, span).expr;
                for bit in (0..scalar.bits()).rev() {
                    let mask = self.ints.constant(scalar, &build::power(bit), span);
                    let masked = self.exact(BinaryOp::BitAnd, scalar, value.clone(), mask, span)?;
                    let set = self.ints.truth(scalar, &masked, span);
                    found = build::ite(set, self.number(result, i64::from(bit) + 1, span).expr, found, span);
                }
                Ok(Some(vec![self.ints.any(result, found, false)]))
            }
            _ => Ok(None),
        }
    }
}
