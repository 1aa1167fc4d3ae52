//! Operations on whole pieces of memory: filled with a byte, or copied from another object of the same type.

use super::LibraryCall;
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
    pub(super) fn memory_call(&mut self, call: LibraryCall<'_>) -> Result<Option<Vec<Value>>> {
        let span = call.expr.span;
        match (call.name, call.arguments) {
            ("memset" | "__builtin_memset", [to, byte, size]) => {
                let from = self.scalar(&byte.ty).unwrap_or(Scalar::INT);
                let value = self.value(byte)?;
                let value = self.settled(value, span);
                let value = self.ints.convert(from, BYTE, value, span);
                self.fill(to, value, size, span)?;
                let address = self.value(to)?;
                Ok(Some(vec![address]))
            }
            ("bzero", [to, size]) => {
                let zero = self.number(BYTE, 0, span);
                self.fill(to, zero, size, span)?;
                Ok(Some(Vec::new()))
            }
            ("strcpy", [to, from]) => {
                let ExprKind::String(id) = uncast(from).kind else {
                    return reject(span, "`strcpy` of something else than a string literal");
                };
                let char = Type::Int { bits: 8, signed: true, rank: 1 };
                let scalar = Scalar::Int { bits: 8, signed: true };
                let target = self.target(to, &char)?;
                let bytes: Vec<u8> = self.unit.strings[id as usize].iter().copied().chain([0]).collect();
                for (number, byte) in bytes.into_iter().enumerate() {
                    let at = self.number(self.pointer(), number as i64, span).expr;
                    let value = self.number(scalar, i64::from(byte), span);
                    self.store(&target.moved(at, 1), scalar, value, span)?;
                }
                let address = self.value(to)?;
                Ok(Some(vec![address]))
            }
            ("memcpy" | "memmove", [to, from, size]) => {
                let (target, source) = (self.whole(to), self.whole(from));
                match (target, source, &uncast(size).kind) {
                    (Some((target, ty, bytes)), Some((source, other, _)), ExprKind::Int(size))
                        if ty == other && size.to_i64() == Some(bytes) =>
                    {
                        let values = self.load_parts(&source, &ty, span)?;
                        self.store_parts(&target, &ty, &values, span)?;
                    }
                    _ => return reject(span, "`memcpy` of something else than a whole object to one of its type"),
                }
                let address = self.value(to)?;
                Ok(Some(vec![address]))
            }
            ("strncpy" | "strcat" | "strncat" | "sprintf" | "snprintf" | "mempcpy" | "strdup", _) => {
                reject(span, format!("`{}` is not supported", call.name))
            }
            _ => Ok(None),
        }
    }

    /// The object that an address is the whole of, with its type and size.
    fn whole(&mut self, pointer: &Expr) -> Option<(Location, Type, i64)> {
        let inner = uncast(pointer);
        let Type::Pointer(pointee) = &inner.ty else { return None };
        let ty = match &inner.kind {
            ExprKind::AddressOf(place) => place.ty.ty.clone(),
            _ => pointee.ty.clone(),
        };
        let bytes = i64::try_from(self.points.objects.layouts.size(&ty)).ok()?;
        let place = match &inner.kind {
            ExprKind::AddressOf(place) => self.place(place).ok()?,
            _ => self.target(inner, &ty).ok()?,
        };
        Some((place, ty, bytes))
    }

    /// Gives every byte one value.
    fn fill(&mut self, to: &Expr, byte: Value, size: &Expr, span: Span) -> Result<()> {
        let Some((target, ty, bytes)) = self.whole(to).filter(|(.., bytes)| *bytes > 0) else {
            return reject(span, "`memset` of unknown memory");
        };
        if let Some(size) = constant(size) {
            if size % bytes != 0 {
                return reject(span, "`memset` of a part of an object");
            }
            return self.set_elements(&target, &ty, &byte, size / bytes, span);
        }
        let Some((count, each)) = counted(size).filter(|(_, each)| each % bytes == 0) else {
            return reject(span, "`memset` of an unknown number of bytes");
        };
        // As many objects as the count says, one after the other.
        let scalar = self.pointer();
        let from = self.scalar(&count.ty).unwrap_or(scalar);
        let value = self.value(count)?;
        let value = self.settled(value, span);
        let value = self.ints.convert(from, scalar, value, span);
        let end = self.scaled(value.expr, each / bytes, span);
        let at = self.temporary(self.ints.ty(scalar), span);
        let first = self.number(scalar, 0, span).expr;
        self.assign(at, first, span);
        let next = self.var(at, span);
        let (stmts, ()) = self.apart(|t| {
            let stride = t.points.objects.layouts.size(&ty);
            t.set_element(&target.moved(next.clone(), stride), &ty, &byte, span)?;
            let one = t.number(t.pointer(), 1, span).expr;
            let after = t.sum(next.clone(), one, span);
            t.assign(at, after, span);
            Ok(())
        })?;
        let test = self.ints.compare(CompareOp::Less, scalar, next, end, span);
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
        let product = self.exact(BinaryOp::Multiply, wide, value, factor, span)?;
        Ok(self.ints.convert(wide, scalar, product, span))
    }
}

/// A number of bytes as a count of pieces, and the size of each.
fn counted(size: &Expr) -> Option<(&Expr, i64)> {
    let ExprKind::Binary(BinaryOp::Multiply, a, b) = &uncast(size).kind else { return None };
    match (constant(a), constant(b)) {
        (Some(each), None) => Some((b, each)),
        (None, Some(each)) => Some((a, each)),
        _ => None,
    }
}
