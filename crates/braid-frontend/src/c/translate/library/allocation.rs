//! Memory from the heap, and operations on whole pieces of memory. Allocation succeeds; freed memory is not used again.

use super::LibraryCall;
use crate::c::translate::objects::{ObjectId, ObjectKind, site};
use crate::c::translate::place::Location;
use crate::c::translate::scalar::Value;
use crate::c::translate::walk::uncast;
use crate::c::translate::{Result, Translator, reject};
use crate::c::tree::{Expr, ExprKind, Type};
use braid_program::ast::{Storage, VarId};
use braid_program::source::Span;

impl Translator<'_, '_> {
    pub(super) fn allocation_call(&mut self, call: LibraryCall<'_>) -> Result<Option<Vec<Value>>> {
        let span = call.expr.span;
        match (call.name, call.arguments) {
            ("malloc" | "calloc" | "alloca" | "__builtin_alloca" | "valloc" | "kmalloc" | "kzalloc", arguments) => {
                let zeroed = matches!(call.name, "calloc" | "kzalloc");
                self.allocate(call, arguments, zeroed).map(Some)
            }
            ("realloc", _) => reject(span, "`realloc` is not supported"),
            ("free" | "kfree" | "cfree", [pointer]) => {
                self.discard(pointer)?;
                Ok(Some(Vec::new()))
            }
            ("memset" | "bzero", [to, rest @ ..]) => {
                let zero = match rest {
                    [byte, _] => matches!(&uncast(byte).kind, ExprKind::Int(value) if value.is_zero()),
                    _ => true,
                };
                let size = rest.last().map(|size| &uncast(size).kind);
                let whole = self.whole(to);
                match (whole, size) {
                    (Some((place, ty, bytes)), Some(ExprKind::Int(size))) if zero && size.to_i64() == Some(bytes) => {
                        let values: Vec<Value> =
                            self.parts(&ty, span)?.iter().map(|part| self.number(part.scalar, 0, span)).collect();
                        self.store_parts(&place, &ty, &values, span)?;
                    }
                    _ => return reject(span, "`memset` of something else than a whole object to zero"),
                }
                let address = self.value(to)?;
                Ok(Some(if call.expr.ty == Type::Void { Vec::new() } else { vec![address] }))
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
            ("strcpy" | "strncpy" | "strcat" | "strncat" | "sprintf" | "snprintf" | "mempcpy" | "strdup", _) => {
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

    fn allocate(&mut self, call: LibraryCall<'_>, arguments: &[Expr], zeroed: bool) -> Result<Vec<Value>> {
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
            if zeroed {
                let values: Vec<Value> =
                    self.parts(&described.ty, span)?.iter().map(|part| self.number(part.scalar, 0, span)).collect();
                self.store_parts(&Location::object(object), &described.ty, &values, span)?;
            }
            let address = self.address(object, span)?;
            return Ok(vec![self.ints.any(self.pointer(), address, false)]);
        }
        if zeroed {
            return reject(span, "`calloc` of any number of objects is not supported");
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
            let gap = t.number(t.pointer(), 16, span).expr;
            let end = t.sum(end, gap, span);
            t.assign(frontier, end, span);
            Ok(())
        })?;
        let address = self.var(address, span);
        Ok(vec![self.ints.any(self.pointer(), address, false)])
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
