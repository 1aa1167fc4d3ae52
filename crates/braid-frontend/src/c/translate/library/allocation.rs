//! Memory from the heap. Allocation succeeds; freed memory is not used again.

use super::LibraryCall;
use super::memory::BYTE;
use crate::c::translate::objects::{ObjectId, ObjectKind, site};
use crate::c::translate::place::Location;
use crate::c::translate::scalar::Value;
use crate::c::translate::walk::uncast;
use crate::c::translate::{Result, Translator, build, reject};
use crate::c::tree::{Expr, ExprKind};
use braid_program::ast::{Storage, VarId};
use braid_program::source::Span;

impl Translator<'_, '_> {
    pub(super) fn allocation_call(&mut self, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        match call.name {
            "realloc" => reject(call.expr.span, "`realloc` is not supported"),
            _ => self.allocate(call, call.arguments),
        }
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
            bytes = self.exact(crate::c::tree::BinaryOp::Multiply, self.pointer(), product, factor, span)?.expr;
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
                    let zero = self.number(BYTE, 0, span);
                    self.set_elements(&target, &described.ty, &zero, total / size, span)?;
                }
                _ => return reject(span, "`calloc` of an unknown number of objects is not supported"),
            }
        }
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

/// The value of a constant.
pub(super) fn constant(expr: &Expr) -> Option<i64> {
    match &uncast(expr).kind {
        ExprKind::Int(value) => value.to_i64(),
        ExprKind::Unary(crate::c::tree::UnaryOp::Negate, inner) => constant(inner).map(|value| -value),
        ExprKind::Binary(crate::c::tree::BinaryOp::Multiply, a, b) => constant(a)?.checked_mul(constant(b)?),
        _ => None,
    }
}
