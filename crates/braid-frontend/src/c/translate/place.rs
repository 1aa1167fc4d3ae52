//! Places: from a C lvalue to the cells that it can mean, and loads and stores.

use super::build::{self, eq};
use super::cells::Slot;
use super::decisions::LeafKey;
use super::layout::Leaf;
use super::objects::{ObjectId, ObjectKind};
use super::points_to::Target;
use super::scalar::{Scalar, Value};
use super::walk::uncast;
use super::{Result, Translator, reject};
use crate::c::tree::{self, ExprKind, PlaceKind};
use crate::diagnostic::Diagnostic;
use braid_program::ast::{Expr, Stmt, StmtKind};
use braid_program::source::Span;

/// A place whose parts have been evaluated: nothing in it reads shared memory.
#[derive(Clone, Debug)]
pub struct Location {
    base: Base,
    /// In bytes from the base, with all indices 0.
    offset: i64,
    /// With the stride of each, outermost first.
    indices: Vec<(Expr, u64)>,
    bit_field: Option<u32>,
    /// Is it of an atomic type?
    atomic: bool,
}

#[derive(Clone, Debug)]
enum Base {
    Object(ObjectId),
    Pointer { address: Expr, targets: Vec<Target> },
}

/// A slot that an access means if the guard holds (none: in all other cases).
pub type Candidate = (Option<Expr>, Slot);

impl Location {
    pub fn object(object: ObjectId) -> Location {
        Location { base: Base::Object(object), offset: 0, indices: Vec::new(), bit_field: None, atomic: false }
    }

    /// What an address points to, in an object.
    pub fn at(address: Expr, object: ObjectId) -> Location {
        let targets = vec![Target { object, position: Some(0) }];
        Location {
            base: Base::Pointer { address, targets },
            offset: 0,
            indices: Vec::new(),
            bit_field: None,
            atomic: false,
        }
    }

    /// The same, accessed by an atomic operation.
    pub fn into_atomic(self) -> Location {
        Location { atomic: true, ..self }
    }

    /// Another element of the array that it is the first element of.
    pub fn moved(&self, by: Expr, stride: u64) -> Location {
        let mut moved = self.clone();
        match (&moved.base, moved.indices.last()) {
            // An element of an array by name has an index of its own already.
            (Base::Object(_), Some((index, known)))
                if *known == stride && super::build::numeral(index).is_some_and(|n| n.is_zero()) =>
            {
                moved.indices.pop();
                moved.indices.push((by, stride));
            }
            _ => moved.indices.push((by, stride)),
        }
        moved
    }

    /// A part of it.
    pub fn part(&self, offset: u64, indices: Vec<(Expr, u64)>, bit_field: Option<u32>) -> Location {
        let mut part = self.clone();
        part.offset += offset as i64;
        part.indices.extend(indices);
        part.bit_field = bit_field;
        part
    }
}

impl Translator<'_, '_> {
    /// Evaluates a place.
    pub(super) fn place(&mut self, place: &tree::Place) -> Result<Location> {
        let location = self.parts_of_place(place)?;
        Ok(Location { atomic: location.atomic || place.ty.atomic, ..location })
    }

    fn parts_of_place(&mut self, place: &tree::Place) -> Result<Location> {
        match &place.kind {
            PlaceKind::Variable(id) => Ok(Location::object(self.points.objects.of(ObjectKind::Variable(*id)))),
            PlaceKind::Deref(pointer) => self.target(pointer, &place.ty.ty),
            PlaceKind::Field(inner, number) => {
                let location = self.place(inner)?;
                let tree::Type::Record(record) = &inner.ty.ty else {
                    return reject(place.span, "a field of something that is not a struct or union");
                };
                if self.points.objects.layouts.is_opaque(*record) {
                    return reject(place.span, "the inside of a type of the thread library is accessed");
                }
                match self.unit.records[record.index()].fields.get(*number as usize) {
                    Some(field) => Ok(location.part(field.offset, Vec::new(), field.bit_width.map(|_| *number))),
                    None => reject(place.span, "there is no such field"),
                }
            }
            PlaceKind::Element(inner, index) => {
                let location = self.place(inner)?;
                let index = self.index(index)?;
                let stride = self.points.objects.layouts.size(&place.ty.ty);
                Ok(location.part(0, vec![(index, stride)], None))
            }
        }
    }

    /// An index as a value of pointer type that reads no shared memory.
    fn index(&mut self, index: &tree::Expr) -> Result<Expr> {
        let span = index.span;
        let value = self.value(index)?;
        let value = self.settled(value, span);
        let Some(scalar) = self.scalar(&index.ty) else { return reject(span, "an index that is not a number") };
        // Negative indices stay negative: addresses are calculated without wrapping.
        if self.ints == super::Ints::Math {
            return Ok(value.expr);
        }
        Ok(self.ints.convert(scalar, self.pointer(), value, span).expr)
    }

    /// What a pointer expression points to, as a place of the given type.
    pub(super) fn target(&mut self, pointer: &tree::Expr, ty: &tree::Type) -> Result<Location> {
        let inner = uncast(pointer);
        let size = self.points.objects.layouts.size(ty);
        match &inner.kind {
            // `*&place`, and `*array` for an array's first element.
            ExprKind::AddressOf(place) if place.ty.ty == *ty || self.opaque(ty) => return self.place(place),
            ExprKind::AddressOf(place) => {
                if let tree::Type::Array(element, _) = &place.ty.ty
                    && element.ty == *ty
                {
                    let zero = self.number(self.pointer(), 0, place.span).expr;
                    return Ok(self.place(place)?.part(0, vec![(zero, size)], None));
                }
            }
            // `*(array + index)`.
            ExprKind::PointerAdd { pointer: array, count, size: step, negative: false } if *step == size => {
                if let ExprKind::AddressOf(place) = &uncast(array).kind
                    && matches!(&place.ty.ty, tree::Type::Array(element, _) if element.ty == *ty)
                {
                    let location = self.place(place)?;
                    let index = self.index(count)?;
                    return Ok(location.part(0, vec![(index, size)], None));
                }
            }
            _ => {}
        }
        let value = self.value(pointer)?;
        let address = self.settled(value, pointer.span).expr;
        let targets = self.points.targets(pointer);
        Ok(Location {
            base: Base::Pointer { address, targets },
            offset: 0,
            indices: Vec::new(),
            bit_field: None,
            atomic: false,
        })
    }

    fn opaque(&self, ty: &tree::Type) -> bool {
        matches!(ty, tree::Type::Record(record) if self.points.objects.layouts.is_opaque(*record))
    }

    /// The address of a place.
    pub(super) fn address_of(&mut self, location: &Location, span: Span) -> Result<Expr> {
        let base = match &location.base {
            Base::Object(object) => self.address(*object, span)?,
            Base::Pointer { address, .. } => address.clone(),
        };
        Ok(self.displaced(base, location.offset, &location.indices, span))
    }

    /// The slots that an access of a type can mean, the last one without a guard.
    fn candidates(&mut self, location: &Location, scalar: Scalar, span: Span) -> Result<Vec<Candidate>> {
        let bits = scalar.bits();
        match &location.base {
            Base::Object(object) => {
                let position = u64::try_from(location.offset).ok();
                let leaves = match position {
                    Some(_) => self.points.objects.leaves_at(*object, position, bits, location.bit_field),
                    None => Vec::new(),
                };
                let Some(&leaf) = leaves.first() else { return unfitting(span) };
                self.note_union(*object, leaf, span)?;
                let slot = self.slot(*object, leaf, &location.indices, span)?;
                Ok(vec![(None, slot)])
            }
            Base::Pointer { address, targets } => {
                let address = self.displaced(address.clone(), location.offset, &location.indices, span);
                let (mut single, mut regions): (Vec<Candidate>, Vec<Slot>) = (Vec::new(), Vec::new());
                let mut region_leaf = None;
                let mut fits = false;
                for target in targets {
                    let target = self.points.shifted(*target, location.offset);
                    let kind = self.points.objects.get(target.object).kind;
                    if matches!(kind, ObjectKind::Function(_)) {
                        continue;
                    }
                    let leaves =
                        self.points.objects.leaves_at(target.object, target.position, bits, location.bit_field);
                    // A target whose type is not known is a hole in what we know.
                    if self.points.objects.get(target.object).leaves.is_empty() {
                        return reject(span, "memory of unknown type is accessed");
                    }
                    if leaves.is_empty() && target.position.is_some() {
                        return unfitting(span);
                    }
                    // Characters may be part of anything.
                    let bytes = |leaf: &Leaf| leaf.scalar.bits().div_ceil(8);
                    let wider = self.points.objects.get(target.object).leaves.iter().any(|leaf| bytes(leaf) != 1);
                    if target.position.is_none() && bits == 8 && wider {
                        return unfitting(span);
                    }
                    self.learned.through_pointers.insert(kind);
                    for leaf in leaves {
                        fits = true;
                        self.note_union(target.object, leaf, span)?;
                        let has_dimensions = !self.points.objects.get(target.object).leaves[leaf].dimensions.is_empty();
                        if has_dimensions || self.is_per_thread(target.object) {
                            match region_leaf {
                                None => region_leaf = Some((kind, leaf)),
                                Some(other) => {
                                    let scalar = |(kind, leaf): LeafKey, t: &mut Self| {
                                        let object = t.points.objects.of(kind);
                                        t.points.objects.get(object).leaves[leaf].scalar
                                    };
                                    let truths = [other, (kind, leaf)].map(|leaf| scalar(leaf, self) == Scalar::Bool);
                                    if truths[0] != truths[1] {
                                        return unfitting(span);
                                    }
                                    self.learned.unite(other, (kind, leaf));
                                }
                            }
                            regions.push(self.slot_at(target.object, leaf, address.clone()));
                        } else {
                            let slot = self.slot(target.object, leaf, &[], span)?;
                            let base = self.address(target.object, span)?;
                            let offset = self.points.objects.get(target.object).leaves[leaf].offset as i64;
                            let at = self.displaced(base, offset, &[], span);
                            single.push((Some(eq(address.clone(), at, span)), slot));
                        }
                    }
                }
                if !fits {
                    let message = "it is not known what this pointer points to";
                    let hint = "memory from unknown functions cannot be accessed";
                    return Err(super::Stop::Rejected(Diagnostic::new(span, message).hint(hint)));
                }
                if let Some(mut region) = regions.first().cloned() {
                    region.shared = regions.iter().any(|slot| slot.shared);
                    single.push((None, region));
                }
                // A guard that is known decides; the last candidate needs none.
                if let Some(known) = single.iter().position(|(guard, _)| is_true(guard)) {
                    return Ok(vec![(None, single.swap_remove(known).1)]);
                }
                single.retain(|(guard, _)| !is_false(guard));
                match single.last_mut() {
                    Some((guard, _)) => *guard = None,
                    None => return reject(span, "this pointer points to nothing of this type"),
                }
                Ok(single)
            }
        }
    }

    /// Members of a union that overlap with different layouts: only one of them may be used.
    fn note_union(&mut self, object: ObjectId, leaf: usize, span: Span) -> Result<()> {
        for (record, member) in &self.points.objects.get(object).leaves[leaf].overlaps {
            if self.unions.entry(*record).or_insert(*member) != member {
                return reject(span, "different members of one union are used, and they overlap");
            }
        }
        Ok(())
    }

    /// The value at a place.
    pub(super) fn load(&mut self, location: &Location, scalar: Scalar, span: Span) -> Result<Value> {
        if scalar == Scalar::Float {
            self.refuse_race("floating-point variables", span)?;
            return Ok(self.number(scalar, 0, span));
        }
        if location.bit_field.is_some() {
            self.refuse_race("bit-fields", span)?;
        }
        let mut result: Option<Value> = None;
        let candidates = self.candidates(location, scalar, span)?;
        let ends = self.begin_read(&candidates, location.atomic, span)?;
        for (guard, slot) in candidates.into_iter().rev() {
            let reads = slot.shared && self.frame.atomic == 0;
            let raw = self.ints.any(slot.scalar, self.read(&slot, span), reads);
            if slot.open && slot.scalar != Scalar::Bool {
                self.assume_in_range(guard.as_ref(), slot.scalar, &raw.expr, span);
            }
            let value = self.ints.convert(slot.scalar, scalar, raw, span);
            result = Some(match (guard, result) {
                (Some(guard), Some(other)) => Value {
                    expr: build::ite(guard, value.expr, other.expr, span),
                    range: value.range.hull(&other.range),
                    reads: reads || other.reads,
                },
                _ => value,
            });
        }
        let Some(value) = result else { return reject(span, "this pointer points to nothing of this type") };
        if ends.is_empty() {
            return Ok(value);
        }
        let value = self.settled(Value { reads: true, ..value }, span);
        self.emit(StmtKind::Assign(ends), span);
        Ok(value)
    }

    /// What is read is a value of its type, if it is read.
    fn assume_in_range(&mut self, guard: Option<&Expr>, scalar: Scalar, read: &Expr, span: Span) {
        let Some(range) = self.ints.in_range(scalar, read, span) else { return };
        let formula = match guard {
            Some(guard) => build::or(build::not(guard.clone(), span), range, span),
            None => range,
        };
        self.assume(formula, span);
    }

    /// Stores a value of the type; gives the value back, without a read of shared memory if the place is shared.
    pub(super) fn store(&mut self, location: &Location, scalar: Scalar, value: Value, span: Span) -> Result<Value> {
        if scalar == Scalar::Float {
            self.refuse_race("floating-point variables", span)?;
            return Ok(value);
        }
        if location.bit_field.is_some() {
            self.refuse_race("bit-fields", span)?;
        }
        let candidates = self.candidates(location, scalar, span)?;
        let shared = candidates.iter().any(|(_, slot)| slot.shared);
        let value = if shared && self.frame.atomic == 0 { self.settled(value, span) } else { value };
        let ends = self.begin_write(&candidates, location.atomic, span)?;
        let mut rest: Option<Stmt> = None;
        for (guard, slot) in candidates.into_iter().rev() {
            if slot.scalar == Scalar::Bool && scalar != Scalar::Bool {
                return unfitting(span);
            }
            let converted = self.ints.convert(scalar, slot.scalar, value.clone(), span);
            let assignment = self.write(&slot, converted.expr, span);
            let stmt = Stmt { kind: StmtKind::Assign(vec![assignment]), span };
            rest = Some(match (guard, rest) {
                (Some(guard), Some(other)) => {
                    Stmt { kind: StmtKind::If(guard, Box::new(stmt), Some(Box::new(other))), span }
                }
                _ => stmt,
            });
        }
        match rest {
            Some(Stmt { kind: StmtKind::Assign(mut both), .. }) => {
                both.extend(ends);
                self.emit(StmtKind::Assign(both), span);
            }
            rest => {
                self.out.extend(rest);
                if !ends.is_empty() {
                    self.emit(StmtKind::Assign(ends), span);
                }
            }
        }
        Ok(value)
    }

    /// The only slot that a place can mean.
    pub(super) fn only_slot(&mut self, location: &Location, scalar: Scalar, span: Span) -> Result<Option<Slot>> {
        let mut candidates = self.candidates(location, scalar, span)?;
        Ok(if candidates.len() == 1 { candidates.pop().map(|(_, slot)| slot) } else { None })
    }
}

fn unfitting<T>(span: Span) -> Result<T> {
    reject(span, "memory is accessed as another type than it has")
}

fn is_true(guard: &Option<Expr>) -> bool {
    matches!(guard, Some(Expr { kind: braid_program::ast::ExprKind::Bool(true), .. }))
}

fn is_false(guard: &Option<Expr>) -> bool {
    matches!(guard, Some(Expr { kind: braid_program::ast::ExprKind::Bool(false), .. }))
}
