//! Memory from the heap, and operations on whole pieces of memory. Allocation succeeds; freed memory is not used again.

use super::LibraryCall;
use crate::c::translate::objects::{ObjectId, ObjectKind, site};
use crate::c::translate::place::Location;
use crate::c::translate::scalar::{Scalar, Value};
use crate::c::translate::walk::uncast;
use crate::c::translate::{Result, Translator, build, reject};
use crate::c::tree::{Expr, ExprKind, Type};
use braid_program::ast::{Storage, VarId};
use braid_program::source::Span;

impl Translator<'_, '_> {
    pub(super) fn allocation_call(&mut self, call: LibraryCall<'_>) -> Result<Option<Vec<Value>>> {
        let span = call.expr.span;
        match (call.name, call.arguments) {
            ("malloc" | "calloc" | "alloca" | "__builtin_alloca" | "valloc" | "kmalloc" | "kzalloc", arguments) => {
                self.allocate(call, arguments).map(Some)
            }
            ("realloc", _) => reject(span, "`realloc` is not supported"),
            ("free" | "kfree" | "cfree", [pointer]) => {
                self.free(pointer, span)?;
                Ok(Some(Vec::new()))
            }
            ("memset", [to, byte, size]) => {
                let (byte, size) = (constant(byte), constant(size));
                self.fill(to, byte, size, span)?;
                let address = self.value(to)?;
                Ok(Some(vec![address]))
            }
            ("bzero", [to, size]) => {
                self.fill(to, Some(0), constant(size), span)?;
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

    fn allocate(&mut self, call: LibraryCall<'_>, arguments: &[Expr]) -> Result<Vec<Value>> {
        let span = call.expr.span;
        let object = self.points.objects.of(ObjectKind::Heap(site(call.expr)));
        let described = self.points.objects.get(object).clone();
        if described.leaves.is_empty() {
            // Nobody looks into it: an address is all that is needed.
            self.evaluate(arguments)?;
            let address = self.address(object, span)?;
            return Ok(vec![self.ints.any(self.pointer(), address, false)]);
        }
        if !described.many {
            self.evaluate(arguments)?;
            if described.zeroed {
                let values: Vec<Value> =
                    self.parts(&described.ty, span)?.iter().map(|part| self.number(part.scalar, 0, span)).collect();
                self.store_parts(&Location::object(object), &described.ty, &values, span)?;
            }
            let address = self.address(object, span)?;
            return Ok(vec![self.ints.any(self.pointer(), address, false)]);
        }
        let mut bytes = self.number(self.pointer(), 1, span).expr;
        let size_arguments = if call.name == "calloc" { arguments } else { &arguments[..arguments.len().min(1)] };
        for argument in size_arguments {
            let value = self.value(argument)?;
            let value = self.settled(value, span);
            let from = self.scalar(&argument.ty).unwrap_or(self.pointer());
            let factor = self.ints.convert(from, self.pointer(), value, span);
            let product = self.ints.any(self.pointer(), bytes, false);
            bytes = self.binary(crate::c::tree::BinaryOp::Multiply, self.pointer(), product, factor, span)?.expr;
        }
        self.evaluate(&arguments[size_arguments.len()..])?;
        let frontier = self.frontier(object, span);
        let address = self.temporary(self.ints.ty(self.pointer()), span);
        self.atomically(span, |t| {
            let next = t.var(frontier, span);
            t.assign(address, next.clone(), span);
            // Objects do not touch each other.
            let end = t.sum(next, bytes, span);
            if t.notes_ends(object) {
                let ends = t.block_ends(object, span);
                let noted = build::store(t.var(ends, span), t.var(address, span), end.clone(), span);
                t.assign(ends, noted, span);
            }
            let gap = t.number(t.pointer(), 16, span).expr;
            let end = t.sum(end, gap, span);
            t.assign(frontier, end, span);
            Ok(())
        })?;
        let address = self.var(address, span);
        if described.zeroed && !(0..described.leaves.len()).all(|leaf| self.starts_zeroed((described.kind, leaf))) {
            let factors: Option<Vec<i64>> = size_arguments.iter().map(constant).collect();
            let total = factors.and_then(|factors| factors.into_iter().try_fold(1i64, i64::checked_mul));
            let size = described.size as i64;
            match total {
                Some(total) if size > 0 && total % size == 0 => {
                    let target = Location::at(address.clone(), object);
                    self.set_elements(&target, &described.ty, 0, total / size, span)?;
                }
                _ => return reject(span, "`calloc` of an unknown number of objects is not supported"),
            }
        }
        Ok(vec![self.ints.any(self.pointer(), address, false)])
    }

    /// `memset` with constants: every byte gets the same value.
    fn fill(&mut self, to: &Expr, byte: Option<i64>, size: Option<i64>, span: Span) -> Result<()> {
        let (Some((target, ty, bytes)), Some(byte), Some(size)) = (self.whole(to), byte, size) else {
            return reject(span, "`memset` of unknown memory, or with an unknown value");
        };
        if bytes <= 0 || size % bytes != 0 {
            return reject(span, "`memset` of a part of an object");
        }
        self.set_elements(&target, &ty, byte, size / bytes, span)
    }

    /// Gives all bytes of so many objects, one behind the other, one value.
    fn set_elements(&mut self, target: &Location, ty: &Type, byte: i64, count: i64, span: Span) -> Result<()> {
        const MOST: i64 = 256;
        if count > MOST {
            return reject(span, format!("more than {MOST} objects are set at once"));
        }
        let size = self.points.objects.layouts.size(ty);
        for number in 0..count {
            let values: Vec<Value> = self
                .parts(ty, span)?
                .iter()
                .map(|part| {
                    let bytes = part.scalar.bits().div_ceil(8);
                    let value = (0..bytes).fold(0i128, |sum, _| (sum << 8) | i128::from(byte & 0xff));
                    self.ints.constant(part.scalar, &value.into(), span)
                })
                .collect();
            let at = self.number(self.pointer(), number, span).expr;
            let element = if count == 1 { target.clone() } else { target.moved(at, size) };
            self.store_parts(&element, ty, &values, span)?;
        }
        Ok(())
    }

    fn frontier(&mut self, object: ObjectId, span: Span) -> VarId {
        if let Some(&frontier) = self.cells.frontiers.get(&object) {
            return frontier;
        }
        let name = format!("heap{}.next", object.0);
        let frontier = self.declare(name, self.ints.ty(self.pointer()), Storage::Global, span);
        self.cells.frontiers.insert(object, frontier);
        frontier
    }
}

/// The value of a constant.
fn constant(expr: &Expr) -> Option<i64> {
    match &uncast(expr).kind {
        ExprKind::Int(value) => value.to_i64(),
        ExprKind::Unary(crate::c::tree::UnaryOp::Negate, inner) => constant(inner).map(|value| -value),
        ExprKind::Binary(crate::c::tree::BinaryOp::Multiply, a, b) => constant(a)?.checked_mul(constant(b)?),
        _ => None,
    }
}
