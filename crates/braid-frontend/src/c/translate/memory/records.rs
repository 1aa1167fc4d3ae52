//! Struct and union values: lists of the scalars that they are made of.

use crate::c::translate::{BitField, Leaf, Location, Result, Scalar, Translator, Value, element_indices, reject};
use crate::c::tree::{self, ExprKind};
use braid_program::ast::Expr;
use braid_program::source::Span;

/// Values of more scalars than this are refused.
const MOST_PARTS: usize = 2048;

/// A scalar in a type, with the indices of the arrays around it.
#[derive(Clone, Debug)]
pub struct Part {
    pub offset: u64,
    pub scalar: Scalar,
    indices: Vec<(u64, u64)>,
    pub bit_field: Option<BitField>,
}

impl Part {
    /// The scalars of a leaf, one for each element of the arrays around it; none where there is no end of them.
    pub fn all_of(leaf: &Leaf) -> impl Iterator<Item = Part> + use<> {
        let Leaf { offset, scalar, bit_field, .. } = *leaf;
        element_indices(&leaf.dimensions).map(move |indices| Part { offset, scalar, indices, bit_field })
    }

    pub fn of(&self, location: &Location, index: impl Fn(u64) -> Expr) -> Location {
        let indices = self.indices.iter().map(|&(at, stride)| (index(at), stride)).collect();
        location.part(self.offset, indices, self.bit_field)
    }

    /// In bytes from the start of the value, indices included.
    pub fn position(&self) -> u64 {
        self.offset + self.indices.iter().map(|(at, stride)| at * stride).sum::<u64>()
    }
}

impl Translator<'_, '_> {
    /// The scalars of a type, in order.
    pub(crate) fn parts(&self, ty: &tree::Type, span: Span) -> Result<Vec<Part>> {
        let Some(leaves) = self.points.objects.layouts.leaves(ty) else {
            return reject(span, "a value of an incomplete type, or of one with too many parts");
        };
        let mut parts = Vec::new();
        for leaf in leaves {
            parts.extend(Part::all_of(&leaf).take(MOST_PARTS + 1));
            if parts.len() > MOST_PARTS {
                return reject(span, format!("a value of more than {MOST_PARTS} parts"));
            }
        }
        Ok(parts)
    }

    pub(crate) fn part_at(&self, part: &Part, location: &Location, span: Span) -> Location {
        part.of(location, |at| self.fixed(at as i64, span))
    }

    /// The parts of a record's value; none of them reads shared memory.
    pub(crate) fn record(&mut self, expr: &tree::Expr) -> Result<Vec<Value>> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Load(place) => {
                let location = self.place(place)?;
                self.load_parts(&location, &expr.ty, span)
            }
            ExprKind::Assign(place, value) => {
                let values = self.record(value)?;
                let location = self.place(place)?;
                self.store_parts(&location, &expr.ty, &values, span)?;
                Ok(values)
            }
            ExprKind::Comma(first, second) => {
                self.discard(first)?;
                self.record(second)
            }
            ExprKind::Cast(inner) => self.record(inner),
            ExprKind::Conditional(test, Some(then), other) => {
                let (test, _) = self.condition(test)?;
                let ways = self.both_ways(|t, first| t.record(if first { then } else { other }))?;
                Ok(self.one_of(test, ways, span))
            }
            ExprKind::Call(..) => self.call(expr, true),
            ExprKind::Statements(stmts) => self.in_block(span, |t| {
                let value = t.last_of(stmts, span)?;
                t.record(value)
            }),
            ExprKind::Literal(variable, init) => {
                let object = self.begin_literal(*variable, init, span)?;
                self.load_parts(&Location::object(object), &expr.ty, span)
            }
            _ => reject(span, "a struct or union value of this form is not supported"),
        }
    }

    /// The parts of a value in memory: one after the other, or in one step where the place is atomic.
    pub(crate) fn load_parts(&mut self, location: &Location, ty: &tree::Type, span: Span) -> Result<Vec<Value>> {
        let work = |t: &mut Self| {
            let mut values = Vec::new();
            for part in t.parts(ty, span)? {
                let at = t.part_at(&part, location, span);
                let value = t.load(&at, part.scalar, span)?;
                // What is read in a step is kept beyond it.
                let reads = value.reads || location.atomic;
                values.push(t.settled(Value { reads, ..value }, span));
            }
            Ok(values)
        };
        if location.atomic { self.atomically(span, work) } else { work(self) }
    }

    pub(crate) fn store_parts(&mut self, to: &Location, ty: &tree::Type, values: &[Value], span: Span) -> Result<()> {
        let work = |t: &mut Self| {
            for (part, value) in t.parts(ty, span)?.iter().zip(values) {
                let at = t.part_at(part, to, span);
                t.store(&at, part.scalar, value.clone(), span)?;
            }
            Ok(())
        };
        if to.atomic { self.atomically(span, work) } else { work(self) }
    }
}
