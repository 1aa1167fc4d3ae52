//! Operations on whole pieces of memory: filled with a byte, or copied from another object of the same type.

use super::LibraryCall;
use crate::c::check::types::UNSIGNED_CHAR;
use crate::c::translate::{
    BYTE, Base, Ints, Location, ObjectId, ObjectKind, Result, Scalar, Stop, Translator, Value, block, reject, uncast,
};
use crate::c::tree::{BinaryOp, Expr, ExprKind, Type};
use braid_program::ast::build::{eq, or};
use braid_program::ast::{self, Check, Expr as AstExpr, StmtKind, build};
use braid_program::source::Span;

/// More objects than this are not set one by one.
const MOST: i64 = 256;

/// How much memory is set or copied.
enum Pieces {
    /// So many objects, at most `MOST`.
    Known(i64),
    /// Objects of so many bytes together.
    Bytes(AstExpr),
}

impl Translator<'_, '_> {
    /// `memset`.
    pub(crate) fn fill_call(&mut self, [to, byte, size]: [&Expr; 3], span: Span) -> Result<Vec<Value>> {
        let (target, ty) = self.elements_at(to)?;
        let from = self.scalar(&byte.ty).unwrap_or(Scalar::INT);
        let value = self.value(byte)?;
        let value = self.kept(value, span);
        let byte = self.ints.convert(from, BYTE, value, span);
        match self.pieces(&ty, size, &[&target], span)? {
            Pieces::Known(count) => self.set_all(&target, &ty, &byte, count, span)?,
            Pieces::Bytes(end) => self.for_each(&ty, end, span, |t, at| {
                let stride = t.points.objects.layouts.size(&ty);
                let element = t.element_in_rows(&target, at, stride, span);
                t.set_element(&element, &ty, &byte, span)
            })?,
        }
        Ok(vec![self.address_value(&target, self.pointer(), span)?])
    }

    /// `memcpy` and `memmove`.
    pub(crate) fn copy_call(&mut self, call: LibraryCall<'_>, [to, from, size]: [&Expr; 3]) -> Result<Vec<Value>> {
        let span = call.expr.span;
        let (target, ty) = self.elements_at(to)?;
        let (source, other) = self.elements_at(from)?;
        let scalars = self.scalar(&ty).zip(self.scalar(&other));
        let same = ty == other || scalars.is_some_and(|(a, b)| a.bits() == b.bits());
        let mixed = scalars.is_some_and(|(a, b)| a.is_float() != b.is_float());
        if mixed && self.ints == Ints::Math {
            return Err(Stop::NeedsBits(span));
        }
        self.assumptions.extend(mixed.then_some(crate::Assumption::Nan));
        let stride = self.points.objects.layouts.size(&ty);
        let pieces = match call.name {
            "__braid_copy_block" => self.whole_pieces(&ty, size, span)?,
            _ => self.pieces(&ty, size, &[&target, &source], span)?,
        };
        match pieces {
            Pieces::Known(0) => {}
            _ if !same => return self.as_bytes(&[&target, &source], span),
            Pieces::Known(count) => {
                if call.name == "memcpy" && self.checks(Check::Undefined) {
                    self.require_apart(&target, &source, count * stride as i64, span)?;
                }
                // All is read before anything is written: the objects may overlap.
                let mut values = Vec::new();
                for number in 0..count {
                    let source = self.nth(&source, number, count, stride, span);
                    let parts = self.load_parts(&source, &ty, span)?;
                    let held = parts.into_iter().map(|part| self.kept(part, span));
                    values.push(held.collect::<Vec<Value>>());
                }
                for (number, parts) in (0..).zip(&values) {
                    let target = self.nth(&target, number, count, stride, span);
                    self.store_parts(&target, &ty, parts, span)?;
                }
            }
            Pieces::Bytes(_) if call.name == "memmove" => {
                return reject(span, "`memmove` of an unknown number of bytes, or of very many objects");
            }
            Pieces::Bytes(end) => self.for_each(&ty, end, span, |t, at| {
                let from = t.element_in_rows(&source, at.clone(), stride, span);
                let values = t.load_parts(&from, &ty, span)?;
                let to = t.element_in_rows(&target, at, stride, span);
                t.store_parts(&to, &ty, &values, span)
            })?,
        }
        Ok(vec![self.address_value(&target, self.pointer(), span)?])
    }

    /// What `memcpy` copies does not overlap with where it goes to. To copy something to itself does no harm.
    fn require_apart(&mut self, a: &Location, b: &Location, bytes: i64, span: Span) -> Result<()> {
        let others = b.objects();
        if !a.objects().iter().any(|object| others.contains(object)) {
            return Ok(());
        }
        let (a, b) = (self.address_of(a, span)?, self.address_of(b, span)?);
        let ends = [&a, &b].map(|start| self.displaced(start.clone(), bytes, &[], span));
        let [end_of_a, end_of_b] = ends;
        let before = self.at_most(end_of_a, b.clone(), span);
        let after = self.at_most(end_of_b, a.clone(), span);
        let apart = or(or(before, after, span), eq(a, b, span), span);
        self.assert(Check::Undefined, apart, span);
        Ok(())
    }

    /// One of several objects, one behind the other.
    fn nth(&self, first: &Location, number: i64, count: i64, stride: u64, span: Span) -> Location {
        if count == 1 {
            return first.clone();
        }
        self.element_in_rows(first, self.fixed(number, span), stride, span)
    }

    /// The place so many elements further on. In an array of arrays, it may be in another row: where it is known how many elements lie between, or all
    /// inner indices are 0.
    fn element_in_rows(&self, first: &Location, by: AstExpr, stride: u64, span: Span) -> Location {
        let scalar = self.pointer();
        let known = |index: &AstExpr| self.ints.known(scalar, index).and_then(|n| n.to_i64());
        let is_far = known(&by).is_none();
        let inner = first.indices.iter().rev().map_while(|(index, step)| Some((known(index)?, *step as i64)));
        let inner: Vec<(i64, i64)> = inner.take_while(|&(index, _)| !is_far || index == 0).collect();
        // The index before those that are known takes what they leave; where nobody knows how far it is, it must be 0 itself.
        let rows = if is_far { inner.len() } else { first.indices.len().min(inner.len() + 1) };
        let start = inner.iter().take(rows.saturating_sub(1)).map(|(index, step)| index * step).sum();
        let fits = inner.first().is_some_and(|&(_, step)| step == stride as i64) && start >= 0;
        if rows < 2 || !fits || !matches!(first.base, Base::Object(_)) {
            return self.element(first, by, stride, span);
        }
        let mut moved = first.clone();
        let outermost = first.indices.len() - rows;
        let mut rest = self.displaced(self.scaled(by.clone(), stride as i64, span), start, &[], span);
        for (number, (index, step)) in moved.indices.iter_mut().enumerate().skip(outermost) {
            let part = |op| {
                let (bytes, step) =
                    (self.ints.any(scalar, rest.clone(), false), self.number(scalar, *step as i64, span));
                self.ints.binary(op, scalar, bytes, step, span).map(|value| value.expr)
            };
            let (Ok(quotient), Ok(remainder)) = (part(BinaryOp::Divide), part(BinaryOp::Remainder)) else {
                return self.element(first, by, stride, span);
            };
            *index = if number == outermost { self.sum(index.clone(), quotient, span) } else { quotient };
            rest = remainder;
        }
        moved
    }

    /// What an address points to; of an array: its first element, with the element's type; of what is in bytes: the first one.
    fn elements_at(&mut self, pointer: &Expr) -> Result<(Location, Type)> {
        let (mut location, mut ty) = match self.pointed_at(pointer)? {
            Some(found) => found,
            None => {
                let inner = uncast(pointer);
                let Type::Pointer(pointee) = &inner.ty else { return reject(pointer.span, "memory of unknown type") };
                (self.target(inner, &pointee.ty)?, pointee.ty.clone())
            }
        };
        if ty == Type::Void
            && let Some(held) = self.held_by(&location)
        {
            ty = held;
        }
        if location.objects().iter().any(|&object| self.points.objects.get(object).in_bytes) {
            return Ok((location, UNSIGNED_CHAR));
        }
        while let Type::Array(element, _) = &ty {
            let zero = self.fixed(0, pointer.span);
            location = location.part(0, vec![(zero, self.points.objects.layouts.size(&element.ty))], None);
            ty = element.ty.clone();
        }
        if self.points.objects.layouts.size(&ty) == 0 || self.points.objects.layouts.leaves(&ty).is_none() {
            return self.as_bytes(&[&location], pointer.span);
        }
        Ok((location, ty))
    }

    /// The type of what blocks hold that a place can be the start of, if that is one.
    fn held_by(&self, location: &Location) -> Option<Type> {
        let objects = location.objects().into_iter().map(|object| self.points.objects.get(object));
        let mut held = objects.filter(|object| matches!(object.kind, ObjectKind::Heap(_))).map(|object| {
            let mut ty = &object.ty;
            while let Type::Array(element, _) = ty {
                ty = &element.ty;
            }
            ty
        });
        let first = held.next()?;
        held.all(|other| other == first).then(|| first.clone())
    }

    /// All that places can mean has to be bytes.
    fn as_bytes<T>(&mut self, places: &[&Location], span: Span) -> Result<T> {
        let mut objects: Vec<ObjectId> = places.iter().flat_map(|place| place.objects()).collect();
        objects.retain(|&object| !self.points.objects.get(object).in_bytes);
        if objects.is_empty() {
            return reject(span, "memory of unknown type is set or copied");
        }
        self.needs_bytes(&objects, span)
    }

    /// How many objects so many bytes are; places of which only a part is meant have to be bytes.
    fn pieces(&mut self, ty: &Type, size: &Expr, places: &[&Location], span: Span) -> Result<Pieces> {
        let bytes = i64::try_from(self.points.objects.layouts.size(ty)).unwrap_or(i64::MAX);
        let scalar = self.pointer();
        let from = self.scalar(&size.ty).unwrap_or(scalar);
        let value = self.value(size)?;
        let value = self.ints.convert(from, scalar, value, span);
        if let Some(known) = self.ints.known(scalar, &value.expr).and_then(|known| known.to_i64()) {
            if known % bytes != 0 {
                return self.as_bytes(places, span);
            }
            let count = known / bytes;
            if count > 1 && !places.iter().all(|place| self.is_in_array(place, bytes)) {
                return self.as_bytes(places, span);
            }
            return Ok(if count > MOST { Pieces::Bytes(value.expr) } else { Pieces::Known(count) });
        }
        let is_counted = bytes == 1 || self.counted(size).is_some_and(|each| each % bytes == 0);
        if !is_counted || !places.iter().all(|place| self.is_in_array(place, bytes)) {
            return self.as_bytes(places, span);
        }
        Ok(Pieces::Bytes(self.kept(value, span).expr))
    }

    /// Is what comes after the place, in steps of so many bytes, found by an index or by an address? After a variable or a member by name
    /// come other members, or nothing.
    fn is_in_array(&self, place: &Location, bytes: i64) -> bool {
        let Base::Object(object) = place.base else { return true };
        let step = place.indices.last().map(|(_, step)| i64::try_from(*step));
        self.points.objects.get(object).in_bytes || step == Some(Ok(bytes))
    }

    /// The same for what blocks hold. Who keeps a part of an element only is not followed.
    fn whole_pieces(&mut self, ty: &Type, size: &Expr, span: Span) -> Result<Pieces> {
        let bytes = i64::try_from(self.points.objects.layouts.size(ty)).unwrap_or(i64::MAX);
        let value = self.value(size)?;
        let kept = self.kept(value, span);
        if bytes > 1 {
            let rest = self.remainder(kept.expr.clone(), bytes, span);
            let is_whole = build::eq(rest, self.fixed(0, span), span);
            let what = "`realloc` that keeps a part of an element is not supported".to_owned();
            let stop = ast::Stmt { kind: StmtKind::Unmodelled(what), span };
            self.branch(is_whole, Vec::new(), vec![stop], span);
        }
        Ok(Pieces::Bytes(kept.expr))
    }

    /// The size of each piece, where a number of bytes is a count of pieces.
    fn counted(&self, size: &Expr) -> Option<i64> {
        let ExprKind::Binary(BinaryOp::Multiply, a, b) = &uncast(size).kind else { return None };
        let layouts = self.points.objects.layouts;
        layouts.constant(a).or_else(|| layouts.constant(b))
    }

    /// Does something for each of the objects that so many bytes are, one after the other.
    fn for_each<W>(&mut self, ty: &Type, end: AstExpr, span: Span, work: W) -> Result<()>
    where
        W: FnOnce(&mut Self, AstExpr) -> Result<()>,
    {
        let scalar = self.pointer();
        let at = self.temporary(self.ints.ty(scalar), span);
        self.assign(at, self.fixed(0, span), span);
        let next = self.var(at, span);
        let repeats = std::mem::replace(&mut self.frame.repeats, true);
        let stmts = self.apart(|t| {
            work(t, next.clone())?;
            let after = t.sum(next.clone(), t.fixed(1, span), span);
            t.assign(at, after, span);
            Ok(())
        });
        self.frame.repeats = repeats;
        let reached = self.scaled(next, self.points.objects.layouts.size(ty) as i64, span);
        let test = self.below(reached, end, span);
        self.emit(StmtKind::While(test, block(stmts?.0, span)), span);
        Ok(())
    }

    /// Gives all bytes of so many objects, one behind the other, one value.
    pub(crate) fn set_all(&mut self, to: &Location, ty: &Type, byte: &Value, count: i64, span: Span) -> Result<()> {
        if count > MOST {
            return reject(span, format!("more than {MOST} objects are set at once"));
        }
        let size = self.points.objects.layouts.size(ty);
        for number in 0..count {
            let element = self.nth(to, number, count, size, span);
            self.set_element(&element, ty, byte, span)?;
        }
        Ok(())
    }

    /// Gives all bytes of an object one value.
    pub(crate) fn set_element(&mut self, target: &Location, ty: &Type, byte: &Value, span: Span) -> Result<()> {
        let mut values = Vec::new();
        for part in self.parts(ty, span)? {
            match self.repeated(byte, part.scalar, span)? {
                Some(value) => values.push(value),
                None => return self.as_bytes(&[target], span),
            }
        }
        self.store_parts(target, ty, &values, span)
    }

    /// The value whose bytes are all the same; none where that takes a look at its bits.
    fn repeated(&mut self, byte: &Value, scalar: Scalar, span: Span) -> Result<Option<Value>> {
        let bytes = scalar.bits().div_ceil(8);
        let pattern = (0..bytes).fold(0i128, |sum, _| (sum << 8) | 1);
        let odd = !scalar.bits().is_multiple_of(8) && scalar.is_float();
        if let Some(known) = self.ints.known(BYTE, &byte.expr).filter(|known| known.is_zero() || !odd) {
            return Ok(Some(self.ints.constant(scalar, &(&known * &pattern.into()), span)));
        }
        if self.drops(scalar) {
            return Ok(Some(self.number(scalar, 0, span)));
        }
        if scalar == Scalar::Bool || !scalar.bits().is_multiple_of(8) {
            return Ok(None);
        }
        let wide = Scalar::Int { bits: scalar.bits(), signed: false };
        let factor = self.ints.constant(wide, &pattern.into(), span);
        let value = self.ints.convert(BYTE, wide, byte.clone(), span);
        let product = self.exact(BinaryOp::Multiply, wide, value, factor, span)?;
        Ok(Some(self.ints.convert(wide, scalar, product, span)))
    }
}
