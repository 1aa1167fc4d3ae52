//! What a function without a body does with one object: reads it, and gives it any values.

use super::{Visit, reach};
use crate::Assumption;
use crate::c::translate::{
    Cell, Leaf, LibraryCall, Location, Object, ObjectId, ObjectKind, Result, Scalar, Translator, block,
    element_indices, elements,
};
use crate::c::tree::{Qualified, Type};
use braid_program::ast::{self, StmtKind, build};
use braid_program::source::Span;

/// Elements of an array that are written one by one.
const MOST_ELEMENTS: u64 = 16;

impl Translator<'_, '_> {
    /// One value that the function reads, and writes if it may.
    pub(crate) fn touch(
        &mut self,
        (object, leaf, reach): (ObjectId, usize, &str),
        place: &Location,
        writes: bool,
        call: &LibraryCall<'_>,
    ) -> Result<()> {
        let span = call.expr.span;
        let scalar = self.points.objects.get(object).leaves[leaf].scalar;
        let atomic = if place.atomic && !reach.is_empty() { reach::ATOMIC } else { "" };
        let name = format!("{}()->{}{reach}{atomic}", call.name, self.name(object, leaf, None));
        if !writes && self.watches() {
            self.declare(name + reach::READ, ast::Type::Bool, ast::Storage::Local(self.frame.procedure), span);
            return self.load(place, scalar, span).map(drop);
        }
        if !writes {
            return Ok(());
        }
        let value = if self.holds_address(object, leaf) {
            self.assumptions.insert(Assumption::PointersStay);
            let old = self.load(place, scalar, span)?;
            let old = self.settled(old, span);
            let stays = self.chosen(format!("{name}{}", reach::KEPT), Scalar::Bool, span);
            let stays = self.ints.truth(Scalar::Bool, &stays, span);
            let expr = build::ite(stays, old.expr, self.number(scalar, 0, span).expr, span);
            self.ints.any(scalar, expr, false)
        } else if self.drops(scalar) {
            self.number(scalar, 0, span)
        } else {
            self.chosen(name, scalar, span)
        };
        self.store(place, scalar, value, span).map(drop)
    }

    /// The same for an array of many elements: as a whole where it is one variable, else any elements, one after the other.
    pub(super) fn touch_array(
        &mut self,
        object: ObjectId,
        leaf: usize,
        at: &Location,
        writes: bool,
        visit: &Visit<'_>,
    ) -> Result<()> {
        let (call, span) = (&visit.call, visit.call.expr.span);
        let described = self.points.objects.get(object).clone();
        let part = &described.leaves[leaf];
        let pointer = self.pointer();
        if !self.watches() && (!writes || self.drops(part.scalar)) {
            return Ok(());
        }
        let dimensions = &part.dimensions[usize::from(described.many)..];
        let indices = dimensions.iter().map(|dimension| (self.temporary(self.ints.ty(pointer), span), *dimension));
        let indices: Vec<_> = indices.collect();
        let places: Vec<(ast::Expr, u64)> = indices.iter().map(|(id, d)| (self.var(*id, span), d.stride)).collect();
        if at.is_object() && !self.watches() && !self.holds_address(object, leaf) {
            let slot = self.slot(object, leaf, &places, span)?;
            if let Cell::Element { array, .. } = slot.cell
                && !self.cells.arrays.values().any(|known| *known == array)
            {
                self.learned.outside.insert(described.kind);
                let reach = visit.reach.whole(&described, part);
                let name = format!("{}()->{}{reach}", call.name, self.name(object, leaf, None));
                let new = self.local(name, self.variables[array.index()].ty.clone(), span);
                self.emit(StmtKind::Havoc(vec![new]), span);
                let new = self.var(new, span);
                self.assign(array, new, span);
                return Ok(());
            }
        }
        let again = self.temporary(ast::Type::Bool, span);
        self.emit(StmtKind::Havoc(vec![again]), span);
        let (stmts, ()) = self.apart(|t| {
            for (index, dimension) in &indices {
                t.emit(StmtKind::Havoc(vec![*index]), span);
                let index = t.var(*index, span);
                let end = t.fixed(dimension.count.unwrap_or(0) as i64, span);
                let inside = t.between(&index, t.fixed(0, span), end, span);
                t.assume(inside, span);
            }
            let reach = visit.reach.any_element(&described, part);
            t.touch((object, leaf, &reach), &at.part(part.offset, places, part.bit_field), writes, call)?;
            t.emit(StmtKind::Havoc(vec![again]), span);
            Ok(())
        })?;
        let again = self.var(again, span);
        self.emit(StmtKind::While(again, block(stmts, span)), span);
        Ok(())
    }

    /// The places of the elements of a leaf; none if there are many.
    pub(crate) fn elements(&self, object: &Object, leaf: &Leaf, at: &Location, span: Span) -> Option<Vec<Location>> {
        let dimensions = &leaf.dimensions[usize::from(object.many)..];
        elements(dimensions).filter(|&total| total <= MOST_ELEMENTS)?;
        let place = |indices: Vec<(u64, u64)>| {
            let indices = indices.into_iter().map(|(index, stride)| (self.fixed(index as i64, span), stride));
            at.part(leaf.offset, indices.collect(), leaf.bit_field)
        };
        Some(element_indices(dimensions).map(place).collect())
    }

    /// Of members of a union that overlap, only those that the program uses have values.
    pub(crate) fn is_used(&self, leaf: &Leaf) -> bool {
        leaf.overlaps.iter().all(|(record, member)| self.decisions.unions.get(record) == Some(member))
    }

    pub(crate) fn holds_address(&self, object: ObjectId, leaf: usize) -> bool {
        let is_pointer = matches!(self.points.objects.get(object).leaves[leaf].scalar, Scalar::Pointer(_));
        is_pointer || !self.points.targets_of_leaf(object, leaf).is_empty()
    }

    pub(crate) fn is_constant(&self, object: ObjectId) -> bool {
        match self.points.objects.get(object).kind {
            ObjectKind::Variable(id) => self.unit.variables[id.index()].ty.constant,
            _ => false,
        }
    }

    /// Is a leaf of an atomic type, and does it point to `const`?
    pub(crate) fn qualifiers(&self, object: &Object, leaf: &Leaf) -> (bool, bool) {
        let (mut ty, mut offset) = (&object.ty, leaf.offset);
        let mut atomic = match object.kind {
            ObjectKind::Variable(id) => self.unit.variables[id.index()].ty.atomic,
            _ => false,
        };
        loop {
            let inner: Option<&Qualified> = match ty {
                Type::Array(element, _) => {
                    offset %= self.points.objects.layouts.size(&element.ty).max(1);
                    Some(element)
                }
                Type::Record(record) => {
                    let fields = &self.unit.records[record.index()].fields;
                    let field = fields.iter().rfind(|field| field.offset <= offset);
                    offset -= field.map_or(0, |field| field.offset);
                    field.map(|field| &field.ty)
                }
                Type::Pointer(pointee) => return (atomic, pointee.constant),
                _ => None,
            };
            let Some(inner) = inner else { return (atomic, false) };
            atomic |= inner.atomic;
            ty = &inner.ty;
        }
    }
}
