//! Operations on whole pieces of memory: filled with a byte, or copied from another object of the same type.

use super::allocation::constant;
use crate::c::translate::place::Location;
use crate::c::translate::scalar::{Scalar, Value};
use crate::c::translate::walk::uncast;
use crate::c::translate::{Result, Translator, reject};
use crate::c::tree::{BinaryOp, CompareOp, Expr, ExprKind, Type};
use braid_program::ast::{Stmt, StmtKind};
use braid_program::source::Span;

/// `unsigned char`.
pub const BYTE: Scalar = Scalar::Int { bits: 8, signed: false };
/// More objects than this are not set one by one.
const MOST: i64 = 256;

impl Translator<'_, '_> {
    /// `memset`.
    pub(super) fn fill_call(&mut self, [to, byte, size]: [&Expr; 3], span: Span) -> Result<Vec<Value>> {
        let (target, ty) = self.whole(to)?;
        let from = self.scalar(&byte.ty).unwrap_or(Scalar::INT);
        let value = self.value(byte)?;
        let value = self.settled(value, span);
        let value = self.ints.convert(from, BYTE, value, span);
        self.fill(&target, &ty, value, size, span)?;
        let address = self.address_of(&target, span)?;
        Ok(vec![self.ints.any(self.pointer(), address, false)])
    }

    /// `memcpy` and `memmove`.
    pub(super) fn copy_call(&mut self, [to, from, size]: [&Expr; 3], span: Span) -> Result<Vec<Value>> {
        let ((target, ty), (source, other)) = (self.whole(to)?, self.whole(from)?);
        let bytes = i64::try_from(self.points.objects.layouts.size(&ty)).unwrap_or(0);
        self.read_argument(size)?;
        let Some(size) = constant(size).filter(|size| ty == other && bytes > 0 && size % bytes == 0) else {
            return reject(span, "`memcpy` of something else than whole objects to others of their type");
        };
        let count = size / bytes;
        if count > MOST {
            return reject(span, format!("more than {MOST} objects are copied at once"));
        }
        // All is read before anything is written: the objects may overlap.
        let mut values = Vec::new();
        for number in 0..count {
            let source = self.nth(&source, number, count, bytes, span);
            values.push(self.load_parts(&source, &ty, span)?);
        }
        let values: Vec<Vec<Value>> = values.into_iter().map(|parts| self.held(parts, span)).collect();
        for (number, parts) in (0..).zip(&values) {
            let target = self.nth(&target, number, count, bytes, span);
            self.store_parts(&target, &ty, parts, span)?;
        }
        let address = self.address_of(&target, span)?;
        Ok(vec![self.ints.any(self.pointer(), address, false)])
    }

    /// Values in temporaries: what they were read from may change.
    fn held(&mut self, parts: Vec<Value>, span: Span) -> Vec<Value> {
        parts.into_iter().map(|part| self.settled(Value { reads: true, ..part }, span)).collect()
    }

    /// One of several objects, one behind the other.
    fn nth(&self, first: &Location, number: i64, count: i64, bytes: i64, span: Span) -> Location {
        if count == 1 {
            return first.clone();
        }
        first.moved(self.number(self.pointer(), number, span).expr, bytes as u64)
    }

    /// The object that an address is the whole of, with its type.
    fn whole(&mut self, pointer: &Expr) -> Result<(Location, Type)> {
        if let Some(found) = self.pointed_at(pointer)? {
            return Ok(found);
        }
        let inner = uncast(pointer);
        let Type::Pointer(pointee) = &inner.ty else { return reject(pointer.span, "memory of unknown type") };
        let ty = pointee.ty.clone();
        Ok((self.target(inner, &ty)?, ty))
    }

    /// Gives every byte one value.
    fn fill(&mut self, target: &Location, ty: &Type, byte: Value, size: &Expr, span: Span) -> Result<()> {
        let bytes = i64::try_from(self.points.objects.layouts.size(ty)).unwrap_or(0);
        if bytes == 0 || self.points.objects.layouts.leaves(ty).is_none() {
            return reject(span, "`memset` of unknown memory");
        }
        if let Some(size) = constant(size) {
            if size % bytes != 0 {
                return reject(span, "`memset` of a part of an object");
            }
            return self.set_elements(target, ty, &byte, size / bytes, span);
        }
        if counted(size).is_none_or(|each| each % bytes != 0) {
            return reject(span, "`memset` of an unknown number of bytes");
        }
        // As many objects as the size says, one after the other.
        let scalar = self.pointer();
        let from = self.scalar(&size.ty).unwrap_or(scalar);
        let value = self.value(size)?;
        let value = self.settled(value, span);
        let end = self.ints.convert(from, scalar, value, span).expr;
        let at = self.temporary(self.ints.ty(scalar), span);
        let first = self.number(scalar, 0, span).expr;
        self.assign(at, first, span);
        let next = self.var(at, span);
        let (stmts, ()) = self.apart(|t| {
            t.set_element(&target.moved(next.clone(), bytes as u64), ty, &byte, span)?;
            let one = t.number(t.pointer(), 1, span).expr;
            let after = t.sum(next.clone(), one, span);
            t.assign(at, after, span);
            Ok(())
        })?;
        let reached = self.scaled(next, bytes, span);
        let test = self.ints.compare(CompareOp::Less, scalar, reached, end, span);
        self.emit(StmtKind::While(test, Box::new(Stmt { kind: StmtKind::Seq(stmts), span })), span);
        Ok(())
    }

    /// Gives all bytes of so many objects, one behind the other, one value.
    pub(super) fn set_elements(
        &mut self,
        target: &Location,
        ty: &Type,
        byte: &Value,
        count: i64,
        span: Span,
    ) -> Result<()> {
        if count > MOST {
            return reject(span, format!("more than {MOST} objects are set at once"));
        }
        let size = self.points.objects.layouts.size(ty);
        for number in 0..count {
            let at = self.number(self.pointer(), number, span).expr;
            let element = if count == 1 { target.clone() } else { target.moved(at, size) };
            self.set_element(&element, ty, byte, span)?;
        }
        Ok(())
    }

    fn set_element(&mut self, target: &Location, ty: &Type, byte: &Value, span: Span) -> Result<()> {
        let mut values = Vec::new();
        for part in self.parts(ty, span)? {
            values.push(self.repeated(byte, part.scalar, span)?);
        }
        self.store_parts(target, ty, &values, span)
    }

    /// The value whose bytes are all the same.
    fn repeated(&mut self, byte: &Value, scalar: Scalar, span: Span) -> Result<Value> {
        let bytes = scalar.bits().div_ceil(8);
        let pattern = (0..bytes).fold(0i128, |sum, _| (sum << 8) | 1);
        if let Some(known) = self.ints.known(BYTE, &byte.expr) {
            return Ok(self.ints.constant(scalar, &(&known * &pattern.into()), span));
        }
        if matches!(scalar, Scalar::Bool | Scalar::Float) || !scalar.bits().is_multiple_of(8) {
            return reject(span, "`memset` of truth values, bit-fields or floating-point values with an unknown byte");
        }
        let wide = Scalar::Int { bits: scalar.bits(), signed: false };
        let factor = self.ints.constant(wide, &pattern.into(), span);
        let value = self.ints.convert(BYTE, wide, byte.clone(), span);
        let product = self.binary(BinaryOp::Multiply, wide, value, factor, span)?;
        Ok(self.ints.convert(wide, scalar, product, span))
    }
}

/// The size of each piece, where a number of bytes is a count of pieces.
fn counted(size: &Expr) -> Option<i64> {
    let ExprKind::Binary(BinaryOp::Multiply, a, b) = &uncast(size).kind else { return None };
    constant(a).or_else(|| constant(b))
}
