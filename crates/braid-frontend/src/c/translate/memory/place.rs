//! Places: from a C lvalue to where it is. `access` says which cells that can mean.

use crate::c::translate::{
    BitField, Bound, Ints, ObjectId, ObjectKind, Result, Slot, Target, Translator, reject, uncast,
};
use crate::c::tree::{self, ExprKind, PlaceKind};
use braid_program::ast::Expr;
use braid_program::source::Span;

/// A place whose parts have been evaluated: nothing in it reads shared memory.
#[derive(Clone, Debug)]
pub struct Location {
    pub(crate) base: Base,
    /// In bytes from the base, with all indices 0.
    pub(crate) offset: i64,
    /// With the stride of each, outermost first.
    pub(crate) indices: Vec<(Expr, u64)>,
    /// Indices, and how many elements there are.
    pub(crate) limits: Vec<(Expr, u64)>,
    pub(crate) bit_field: Option<BitField>,
    /// Is it of an atomic type, or accessed by an atomic operation?
    pub(crate) atomic: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Base {
    Object(ObjectId),
    Pointer {
        address: Expr,
        targets: Vec<Target>,
        /// May it point to what the program does not know?
        outside: bool,
    },
}

/// A slot that an access means if the guard holds (none: in all other cases).
pub type Candidate = (Option<Expr>, Slot);

/// That one of several whose guard holds, from the last one on.
pub fn one_by_guard<T>(
    all: impl DoubleEndedIterator<Item = (Option<Expr>, T)>,
    choose: impl Fn(Expr, T, T) -> T,
) -> Option<T> {
    all.rev().fold(None, |rest, (guard, own)| match (guard, rest) {
        (Some(guard), Some(rest)) => Some(choose(guard, own, rest)),
        _ => Some(own),
    })
}

impl Location {
    pub fn object(object: ObjectId) -> Location {
        Location::of(Base::Object(object))
    }

    /// What is right at a base.
    fn of(base: Base) -> Location {
        Location { base, offset: 0, indices: Vec::new(), limits: Vec::new(), bit_field: None, atomic: false }
    }

    /// What an address points to, in an object.
    pub fn at(address: Expr, object: ObjectId) -> Location {
        let targets = vec![Target::at(object, Some(0))];
        Location::of(Base::Pointer { address, targets, outside: false })
    }

    /// The objects that it can be in.
    pub fn objects(&self) -> Vec<ObjectId> {
        let mut objects = match &self.base {
            Base::Object(object) => vec![*object],
            Base::Pointer { targets, .. } => targets.iter().map(|target| target.object).collect(),
        };
        objects.dedup();
        objects
    }

    /// Is it in an object that is known?
    pub fn is_object(&self) -> bool {
        matches!(self.base, Base::Object(_))
    }

    /// The same, accessed by an atomic operation.
    pub fn into_atomic(self) -> Location {
        Location { atomic: true, ..self }
    }

    /// An element of it, an array. Arrays of one element or none at the end of structs may have more.
    pub(crate) fn indexed(&self, index: Expr, stride: u64, array: &tree::Type) -> Location {
        let mut element = self.part(0, vec![(index.clone(), stride)], None);
        if let tree::Type::Array(_, Some(count @ 2..)) = array {
            element.limits.push((index, *count));
        }
        element
    }

    /// A part of it.
    pub fn part(&self, offset: u64, indices: Vec<(Expr, u64)>, bit_field: Option<BitField>) -> Location {
        let mut part = self.clone();
        part.offset += offset as i64;
        part.indices.extend(indices);
        part.bit_field = bit_field;
        part
    }
}

impl Translator<'_, '_> {
    /// Evaluates a place.
    pub(crate) fn place(&mut self, place: &tree::Place) -> Result<Location> {
        let location = self.parts_of_place(place)?;
        let volatile = self.options.volatile_is_atomic && place.ty.volatile;
        Ok(Location { atomic: location.atomic || place.ty.atomic || volatile, ..location })
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
                    Some(field) => Ok(location.part(field.offset, Vec::new(), BitField::of(field, *number))),
                    None => reject(place.span, "there is no such field"),
                }
            }
            PlaceKind::Element(inner, index) => {
                let location = self.place(inner)?;
                let index = self.index(index)?;
                let stride = self.points.objects.layouts.size(&place.ty.ty);
                if matches!(&place.ty.ty, tree::Type::Array(..)) && stride == 0 {
                    return reject(place.span, "an element of an array of arrays of variable length");
                }
                Ok(location.indexed(index, stride, &inner.ty.ty))
            }
        }
    }

    /// An index as a value of pointer type that reads no shared memory.
    pub(crate) fn index(&mut self, index: &tree::Expr) -> Result<Expr> {
        let span = index.span;
        let value = self.stable(index, span)?;
        let Some(scalar) = self.scalar(&index.ty) else { return reject(span, "an index that is not a number") };
        // Negative indices stay negative: addresses are calculated without wrapping.
        if self.ints == Ints::Math {
            return Ok(value.expr);
        }
        Ok(self.ints.convert(scalar, self.pointer(), value, span).expr)
    }

    /// What a pointer expression points to, as a place of the given type.
    pub(crate) fn target(&mut self, pointer: &tree::Expr, ty: &tree::Type) -> Result<Location> {
        let inner = uncast(pointer);
        let size = self.points.objects.layouts.size(ty);
        // `*&place`, `*array` for an array's first element, and `*(array + index)`.
        if let Some((location, found)) = self.pointed_at(inner)? {
            let in_bytes = matches!(location.base, Base::Object(object) if self.points.objects.get(object).in_bytes);
            let fits =
                in_bytes || found == *ty || self.opaque(ty) || self.opaque(&found) || self.is_as_large_as(&found, ty);
            match &found {
                _ if fits => return Ok(location),
                tree::Type::Array(element, _) if element.ty == *ty || self.is_as_large_as(&element.ty, ty) => {
                    let zero = self.number(self.pointer(), 0, pointer.span).expr;
                    return Ok(location.part(0, vec![(zero, size)], None));
                }
                _ => {}
            }
            let address = self.address_of(&location, pointer.span)?;
            return Ok(self.through(pointer, address));
        }
        let address = self.stable(pointer, pointer.span)?.expr;
        Ok(self.through(pointer, address))
    }

    /// What a pointer expression points to, whose value is given.
    fn through(&self, pointer: &tree::Expr, address: Expr) -> Location {
        let (targets, outside) = (self.points.targets(pointer), self.points.is_from_outside(pointer));
        Location::of(Base::Pointer { address, targets, outside })
    }

    /// The type of the elements, if an expression is the address of an array by name.
    pub(crate) fn element_type(&self, array: &tree::Expr) -> Option<tree::Type> {
        let element = |found: &tree::Type| match found {
            tree::Type::Array(element, _) => Some(element.ty.clone()),
            _ => None,
        };
        match (&uncast(array).kind, self.bound(uncast(array))) {
            (ExprKind::AddressOf(place), _) => element(&place.ty.ty),
            (_, Some(Bound::Place(_, found))) => element(&found),
            _ => None,
        }
    }

    /// Are both scalars, or both records, of one size?
    fn is_as_large_as(&self, found: &tree::Type, wanted: &tree::Type) -> bool {
        match (self.scalar(found), self.scalar(wanted)) {
            (Some(a), Some(b)) => a.bits().div_ceil(8) == b.bits().div_ceil(8),
            (None, None) => {
                let layouts = self.points.objects.layouts;
                let records = matches!((found, wanted), (tree::Type::Record(_), tree::Type::Record(_)));
                records && layouts.size(found) == layouts.size(wanted)
            }
            _ => false,
        }
    }

    fn opaque(&self, ty: &tree::Type) -> bool {
        matches!(ty, tree::Type::Record(record) if self.points.objects.layouts.is_opaque(*record))
    }

    /// The place so many elements further on.
    pub(crate) fn element(&self, location: &Location, by: Expr, stride: u64, span: Span) -> Location {
        let mut moved = location.clone();
        match (&moved.base, moved.indices.last_mut()) {
            // An element of an array by name has an index of its own already.
            (Base::Object(_), Some((index, known))) if *known == stride => *index = self.sum(index.clone(), by, span),
            _ => moved.indices.push((by, stride)),
        }
        moved
    }

    /// The address of a place.
    pub(crate) fn address_of(&mut self, location: &Location, span: Span) -> Result<Expr> {
        let base = match &location.base {
            Base::Object(object) => self.address(*object, span)?,
            Base::Pointer { address, .. } => address.clone(),
        };
        Ok(self.displaced(base, location.offset, &location.indices, span))
    }
}
