//! Arrays of variable length: where they end is known from their declaration on.

use crate::c::translate::{Extra, Location, ObjectId, ObjectKind, Result, Scalar, Translator};
use crate::c::tree::{BinaryOp, CompareOp, Type, VariableId};
use braid_program::ast::{Check, Stmt, StmtKind, build};
use braid_program::source::Span;

impl Translator<'_, '_> {
    /// Is it a variable whose length is not constant?
    pub(crate) fn has_variable_length(&self, object: ObjectId) -> bool {
        match self.points.objects.get(object).kind {
            ObjectKind::Variable(id) => !self.unit.variables[id.index()].lengths.is_empty(),
            _ => false,
        }
    }

    /// The distance of two variables of variable length that are one in the program.
    pub(crate) fn open_stride(&self) -> u64 {
        if self.pointer().bits() == 32 { 1 << 18 } else { 1 << 24 }
    }

    /// An array of variable length is declared: notes where it ends.
    pub(crate) fn note_length(&mut self, id: VariableId, object: ObjectId, span: Span) -> Result<()> {
        let lengths = self.unit.variables[id.index()].lengths.clone();
        let tracks = self.requires(Check::Deref);
        if lengths.is_empty() || !tracks && !self.requires(Check::Undefined) && !self.is_numbered(object) {
            return Ok(());
        }
        let Type::Array(element, _) = &self.unit.variables[id.index()].ty.ty else { return Ok(()) };
        let size = self.points.objects.layouts.size(&element.ty);
        let mut bytes = self.number(self.pointer(), size as i64, span);
        for length in lengths {
            let from = self.scalar(&self.unit.variables[length.index()].ty.ty).unwrap_or(Scalar::INT);
            let own = self.points.objects.of(ObjectKind::Variable(length));
            let value = self.load(&Location::object(own), from, span)?;
            let value = self.settled(value, span);
            let zero = self.number(from, 0, span).expr;
            let is_positive = self.ints.compare(CompareOp::Greater, from, value.expr.clone(), zero, span);
            self.require(Check::Undefined, is_positive, span);
            let factor = self.ints.convert(from, self.pointer(), value, span);
            bytes = self.exact(BinaryOp::Multiply, self.pointer(), bytes, factor, span)?;
        }
        let bytes = self.settled(bytes, span).expr;
        let room = if self.is_numbered(object) { self.open_stride() as i64 / 2 } else { self.open_size() };
        let is_room = self.below(bytes.clone(), self.fixed(room, span), span);
        if self.is_numbered(object) {
            let what = format!("an array of variable length with {room} bytes or more is not supported");
            self.branch(is_room, Vec::new(), vec![Stmt { kind: StmtKind::Unmodelled(what), span }], span);
        } else {
            // Stacks do not run out.
            self.assume(is_room, span);
        }
        if !tracks {
            return Ok(());
        }
        let start = self.address(object, span)?;
        let mut end = self.sum(start.clone(), bytes, span);
        let ends = self.extra(object, Extra::Ends, span);
        if self.is_numbered(object) {
            end = build::store(self.var(ends, span), start, end, span);
        }
        self.assign(ends, end, span);
        Ok(())
    }
}
