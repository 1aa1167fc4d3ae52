//! Memory as bytes: an object that is accessed as another type than it has, or in parts, is an array of bytes, and an access joins
//! as many of them as it has. Which objects those are is found out by need: an attempt that meets one more is given up.
//!
//! *Invariant*: integers are bit-vectors where anything is bytes.

use crate::c::check::types::UNSIGNED_CHAR;
use crate::c::translate::{
    BYTE, Cell, Given, Ints, LeafKey, Location, ObjectId, ObjectKind, Result, Scalar, Slot, Stop, Translator, Value,
    reject, unfitting,
};
use braid_logic::{BvOp, Integer};
use braid_program::ast::{Expr, Type, VarId, build};
use braid_program::source::Span;

/// Neighbouring bytes, of which the cell is the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Joined {
    pub count: u32,
    /// How many bits of the first one lie below the value.
    pub shift: u32,
}

impl Translator<'_, '_> {
    /// The objects have to be bytes, which is for the next attempt.
    pub(crate) fn needs_bytes<T>(&mut self, objects: &[ObjectId], span: Span) -> Result<T> {
        self.needs_bits(span)?;
        for &object in objects {
            let described = self.points.objects.get(object);
            if described.in_bytes || matches!(described.kind, ObjectKind::Function(_)) {
                return unfitting(span);
            }
            self.learned.bytes.objects.insert(described.kind);
        }
        Err(Stop::Again)
    }

    /// Bits are looked at.
    pub(crate) fn needs_bits(&self, span: Span) -> Result<()> {
        if self.ints == Ints::Math { Err(Stop::NeedsBits(span)) } else { Ok(()) }
    }

    /// What cells hold, as far as it makes a difference to who else may access them: bytes, truth values, or others.
    pub(crate) fn contents(&mut self, (kind, leaf): LeafKey) -> (bool, bool) {
        let object = self.points.objects.of(kind);
        let described = self.points.objects.get(object);
        (described.in_bytes, described.leaves[leaf].scalar == Scalar::Bool)
    }

    /// Refuses what bytes cannot say.
    pub(crate) fn fits_in_bytes(&mut self, slot: &Slot, location: &Location, span: Span) -> Result<()> {
        let whole = slot.scalar == Scalar::Bool || slot.scalar.bits().is_multiple_of(8) || location.bit_field.is_some();
        match slot.bytes {
            Some(_) if !whole => unfitting(span),
            Some(_) if self.watches() && location.bit_field.is_some() => {
                reject(span, "data races on bit-fields in memory that is accessed as different types are not checked")
            }
            _ => Ok(()),
        }
    }

    /// A value in bytes: at an address, or at a place in an object that is accessed by name alone.
    pub(crate) fn byte_slot(&mut self, object: ObjectId, at: &Location, scalar: Scalar, span: Span) -> Result<Slot> {
        let kind = self.points.objects.get(object).kind;
        let by_address = !at.is_object()
            || self.points.objects.get(object).many
            || self.is_numbered(object)
            || self.decisions.through_pointers.contains(&kind);
        let (scalar, shift) = at.bit_field.map_or((scalar, 0), |field| (field.scalar(), field.shift));
        let bytes = Joined { count: (shift + scalar.bits()).div_ceil(8), shift };
        self.assumptions.extend(scalar.is_float().then_some(crate::Assumption::Nan));
        let slot = if by_address {
            let address = self.address_of(at, span)?;
            self.slot_at(object, 0, address)
        } else {
            let index = self.displaced(self.fixed(0, span), at.offset, &at.indices, span);
            let array = self.variable(object, 0, Some(u64::MAX));
            Slot { scalar: BYTE, library: false, ..self.slot_of(object, 0, Cell::Element { array, index }) }
        };
        Ok(Slot { scalar, bytes: Some(bytes), ..slot })
    }

    /// All bits of the bytes of a slot, the first byte being the lowest.
    pub(crate) fn joined(&self, array: VarId, index: &Expr, bytes: Joined, span: Span) -> Expr {
        let byte = |n: u32| {
            let at = self.displaced(index.clone(), i64::from(n), &[], span);
            build::select(self.var(array, span), at, span)
        };
        let first = byte(0);
        (1..bytes.count).fold(first, |low, n| build::bv(BvOp::Concat, vec![byte(n), low], span))
    }

    /// Some of the bits of a value.
    pub(crate) fn bits_of(&self, value: Expr, low: u32, count: u32, span: Span) -> Expr {
        match (&value.ty, build::numeral(&value)) {
            (Type::BitVec(width), _) if *width == count => value,
            (_, Some(known)) => build::bits(&known.div_floor(&build::power(low)), count, span),
            _ => build::bv(BvOp::Extract { high: low + count - 1, low }, vec![value], span),
        }
    }

    /// An array of bytes with a value written to some of them; bits that are not the value's stay.
    pub(crate) fn set_bytes(&self, at: (VarId, &Expr), bytes: Joined, scalar: Scalar, value: Expr, span: Span) -> Expr {
        let (array, index) = at;
        let (bits, all) = (scalar.bits(), 8 * bytes.count);
        let mut value = value;
        if scalar == Scalar::Bool {
            let truth = self.ints.any(Scalar::Bool, value, false);
            value = self.ints.convert(Scalar::Bool, BYTE, truth, span).expr;
        } else if bits < all {
            let old = self.joined(array, index, bytes, span);
            let above = bytes.shift + bits;
            if bytes.shift > 0 {
                let low = self.bits_of(old.clone(), 0, bytes.shift, span);
                value = build::bv(BvOp::Concat, vec![value, low], span);
            }
            if above < all {
                let high = self.bits_of(old, above, all - above, span);
                value = build::bv(BvOp::Concat, vec![high, value], span);
            }
        }
        (0..bytes.count).fold(self.var(array, span), |contents, n| {
            let at = self.displaced(index.clone(), i64::from(n), &[], span);
            build::store(contents, at, self.bits_of(value.clone(), 8 * n, 8, span), span)
        })
    }

    /// An object of bytes is zero where no value is given.
    pub(crate) fn initialise_bytes(&mut self, object: ObjectId, given: Given, span: Span) -> Result<()> {
        if !self.fill_with_zero(object, span)? {
            let zero = self.number(BYTE, 0, span);
            let size = self.points.objects.get(object).size as i64;
            self.set_all(&Location::object(object), &UNSIGNED_CHAR, &zero, size, span)?;
        }
        for ((offset, bit_field), value) in given {
            let at = Location::object(object).part(offset, Vec::new(), bit_field);
            let scalar = scalar_of(&value);
            self.store(&at, scalar, value, span)?;
        }
        Ok(())
    }

    /// The bytes of values that are constant.
    pub(crate) fn in_bytes(&self, values: Given) -> Given {
        let mut bytes = Given::new();
        for ((offset, bit_field), value) in values {
            let (span, bits, shift) =
                (value.expr.span, scalar_of(&value).bits(), bit_field.map_or(0, |field| field.shift));
            for byte in 0..(shift + bits).div_ceil(8) {
                let position = (offset + u64::from(byte), None);
                let old = bytes.iter().rev().find(|(at, _)| *at == position).map(|(_, value)| value.expr.clone());
                let (first, last) = ((8 * byte).saturating_sub(shift), (8 * byte + 8 - shift).min(bits));
                let part = self.bits_of(value.expr.clone(), first, last - first, span);
                let old = old.filter(|_| bit_field.is_some());
                let unit = build::power(if byte == 0 { shift } else { 0 });
                let expr = match (build::numeral(&part), old.as_ref().map_or(Some(&Integer::ZERO), build::numeral)) {
                    (Some(part), Some(old)) => {
                        let before = old.div_floor(&unit).rem_euclid(&build::power(last - first));
                        build::bits(&(old + &(&(part - &before) * &unit)), 8, span)
                    }
                    // Bit-fields have numbers only.
                    _ => part,
                };
                bytes.push((position, self.ints.any(BYTE, expr, false)));
            }
        }
        bytes
    }
}

/// The integer that a value is as bits; a truth value is one bit.
pub(crate) fn scalar_of(value: &Value) -> Scalar {
    match value.expr.ty {
        Type::BitVec(1) => Scalar::Bool,
        Type::BitVec(bits) => Scalar::Int { bits, signed: false },
        _ => Scalar::INT,
    }
}
