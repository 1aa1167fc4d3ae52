//! Loads and stores: the cells that a place can mean, and what is read from or written to them.

use crate::c::translate::{
    Base, Candidate, Ints, Leaf, LeafKey, Location, ObjectId, ObjectKind, Result, Scalar, Slot, Stop, Target,
    Translator, Value, if_else, one_by_guard, reject,
};
use crate::c::tree::RecordId;
use crate::diagnostic::Diagnostic;
use braid_program::ast::build::{self, eq};
use braid_program::ast::{Check, Expr, ExprKind, Stmt, StmtKind};
use braid_program::source::Span;

/// What an access through a pointer can mean.
#[derive(Default)]
struct Reached {
    /// Cells of their own, each with the guard that the address is theirs.
    single: Vec<Candidate>,
    /// Places in one array by address.
    regions: Vec<Slot>,
    /// A leaf of that array.
    region: Option<LeafKey>,
    /// Objects that the access does not fit.
    misfits: Vec<ObjectId>,
}

impl Translator<'_, '_> {
    /// The slots that an access of a type can mean, the last one without a guard.
    fn candidates(&mut self, location: &Location, scalar: Scalar, span: Span) -> Result<Vec<Candidate>> {
        match &location.base {
            Base::Object(object) if self.points.objects.get(*object).in_bytes => {
                let slot = self.byte_slot(*object, location, scalar, span)?;
                self.fits_in_bytes(&slot, location, span)?;
                Ok(vec![(None, slot)])
            }
            Base::Object(object) => {
                let position = u64::try_from(location.offset).ok();
                let fitting = |_| self.points.objects.leaves_at(*object, position, scalar.bits(), location.bit_field);
                let mut leaves = position.map(fitting).unwrap_or_default();
                self.same_kind(*object, &mut leaves, scalar, span)?;
                // At one place in a union, an array of one member and a value of another can begin.
                if leaves.len() > 1 {
                    let all = &self.points.objects.get(*object).leaves;
                    let strides = || location.indices.iter().map(|(_, stride)| *stride);
                    leaves.retain(|&leaf| all[leaf].dimensions.iter().map(|d| d.stride).eq(strides()));
                }
                let Some(&leaf) = leaves.first() else { return self.needs_bytes(&[*object], span) };
                leaves.iter().try_for_each(|&leaf| self.note_union(*object, leaf, span))?;
                let slot = self.slot(*object, leaf, &location.indices, span)?;
                Ok(vec![(None, slot)])
            }
            Base::Pointer { targets, .. } => {
                let mut reached = Reached::default();
                for target in self.met(location, targets) {
                    if !matches!(self.points.objects.get(target.object).kind, ObjectKind::Function(_)) {
                        self.reach(target, location, scalar, span, &mut reached)?;
                    }
                }
                self.among(reached, location, span)
            }
        }
    }

    /// The targets of an access through a pointer; what is outside of its object is none.
    pub(crate) fn met(&self, location: &Location, targets: &[Target]) -> Vec<Target> {
        let shifted = targets.iter().map(|&target| {
            let target = self.points.shifted(target, location.offset);
            let leaves_arrays = location.indices.iter().any(|(_, stride)| *stride < target.record);
            if leaves_arrays { Target { position: None, ..target } } else { target }
        });
        let is_inside = |target: &Target| {
            let object = self.points.objects.get(target.object);
            let known = !object.many && object.size > 0 && location.indices.is_empty();
            !known || target.position.is_none_or(|position| position < object.size)
        };
        shifted.filter(is_inside).collect()
    }

    /// Adds what an access at an address means if that is one of a target.
    fn reach(&mut self, target: Target, at: &Location, scalar: Scalar, span: Span, out: &mut Reached) -> Result<()> {
        let (object, address) = (target.object, self.address_of(at, span)?);
        let described = self.points.objects.get(object).clone();
        let mut leaves = self.points.objects.leaves_at(object, target.position, scalar.bits(), at.bit_field);
        self.same_kind(object, &mut leaves, scalar, span)?;
        // A target whose type is not known is a hole in what we know.
        if described.leaves.is_empty() {
            return reject(span, "memory of unknown type is accessed");
        }
        // A byte at any place may be a part of anything larger.
        let larger = described.leaves.iter().any(|leaf| leaf.scalar.bits() > 8);
        if leaves.is_empty() || target.position.is_none() && scalar.bits() == 8 && larger {
            out.misfits.push(object);
        }
        self.learned.through_pointers.insert(described.kind);
        for leaf in leaves {
            self.note_union(object, leaf, span)?;
            if described.leaves[leaf].dimensions.is_empty() && !self.is_numbered(object) {
                let slot = self.slot(object, leaf, &[], span)?;
                let base = self.address(object, span)?;
                let own = self.displaced(base, described.leaves[leaf].offset as i64, &[], span);
                out.single.push((Some(eq(address.clone(), own, span)), slot));
                continue;
            }
            let key = (described.kind, leaf);
            let first = *out.region.get_or_insert(key);
            if self.contents(first) != self.contents(key) {
                out.misfits.extend([self.points.objects.of(first.0), object]);
            }
            self.learned.unite(first, key);
            out.regions.push(match described.in_bytes {
                true => self.byte_slot(object, at, scalar, span)?,
                false => self.slot_at(object, leaf, address.clone()),
            });
        }
        Ok(())
    }

    /// The candidates among what was reached.
    fn among(&mut self, reached: Reached, location: &Location, span: Span) -> Result<Vec<Candidate>> {
        let Reached { mut single, regions, mut misfits, .. } = reached;
        misfits.retain(|&object| !self.points.objects.get(object).in_bytes);
        if !misfits.is_empty() {
            return self.needs_bytes(&misfits, span);
        }
        if single.is_empty() && regions.is_empty() {
            let message = "it is not known what this pointer points to";
            let hint = "memory from unknown functions cannot be accessed";
            return Err(Stop::Rejected(Diagnostic::new(span, message).hint(hint)));
        }
        if let Some(mut region) = regions.first().cloned() {
            self.fits_in_bytes(&region, location, span)?;
            region.shared = regions.iter().any(|slot| slot.shared);
            single.push((None, region));
        }
        // A guard that is known decides; the last candidate needs none.
        let known = |(guard, _): &Candidate| match guard.as_ref()?.kind {
            ExprKind::Bool(known) => Some(known),
            _ => None,
        };
        if let Some(meant) = single.iter().position(|candidate| known(candidate) == Some(true)) {
            return Ok(vec![(None, single.swap_remove(meant).1)]);
        }
        single.retain(|candidate| known(candidate) != Some(false));
        match single.last_mut() {
            Some((guard, _)) => *guard = None,
            None => return self.needs_bytes(&location.objects(), span),
        }
        Ok(single)
    }

    /// Integers are read from floating-point values, and the other way round, where both are bits.
    fn same_kind(&mut self, object: ObjectId, leaves: &mut Vec<usize>, scalar: Scalar, span: Span) -> Result<()> {
        let all = &self.points.objects.get(object).leaves;
        let same = |leaf: &usize| all[*leaf].scalar.is_float() == scalar.is_float();
        if leaves.iter().any(same) {
            leaves.retain(same);
        } else if !leaves.is_empty() {
            if self.ints == Ints::Math {
                return Err(Stop::NeedsBits(span));
            }
            self.assumptions.insert(crate::Assumption::Nan);
        }
        Ok(())
    }

    /// Members of a union that overlap with different layouts: if several are used, the union is bytes.
    fn note_union(&mut self, object: ObjectId, leaf: usize, span: Span) -> Result<()> {
        let overlaps = self.points.objects.get(object).leaves[leaf].overlaps.clone();
        overlaps.into_iter().try_for_each(|(record, member)| self.note_member(record, member, span))
    }

    pub(crate) fn note_member(&mut self, union: RecordId, member: u32, span: Span) -> Result<()> {
        if *self.unions.entry(union).or_insert(member) == member {
            return Ok(());
        }
        self.needs_bits(span)?;
        self.learned.bytes.unions.insert(union);
        Err(Stop::Again)
    }

    /// A floating-point value that is written is dropped; so nothing else may lie there.
    fn note_float(&mut self, at: &Location, span: Span) -> Result<()> {
        for object in at.objects() {
            let leaves = &self.points.objects.get(object).leaves;
            let floats: Vec<usize> = (0..leaves.len()).filter(|&leaf| leaves[leaf].scalar.is_float()).collect();
            if floats.is_empty() && !leaves.is_empty() {
                return Err(Stop::NeedsBits(span));
            }
            floats.into_iter().try_for_each(|leaf| self.note_union(object, leaf, span))?;
        }
        Ok(())
    }

    /// The cells that stand for a place where data races are checked: bit-fields that are one memory location (C11 3.14) have those of the first.
    fn memory_location(&mut self, at: &Location, candidates: &[Candidate], span: Span) -> Result<Vec<Candidate>> {
        let (Some(number), true) = (at.bit_field, self.watches()) else { return Ok(candidates.to_vec()) };
        let mut firsts = Vec::new();
        for object in at.objects() {
            let leaves = &self.points.objects.get(object).leaves;
            for own in leaves.iter().filter(|leaf| leaf.bit_field == Some(number)) {
                let begins = |leaf: &Leaf| leaf.bit_field.map(|field| field.location(leaf.offset));
                let same = |leaf: &&Leaf| begins(leaf) == begins(own) && record_path(leaf) == record_path(own);
                let first = leaves.iter().filter(same).min_by_key(|leaf| (leaf.offset, leaf.bit_field));
                firsts.extend(first.map(|first| (first.bit_field, own.offset - first.offset)));
            }
        }
        firsts.dedup();
        let [(first, before)] = firsts[..] else {
            return reject(span, "data races on bit-fields of several types at one place");
        };
        let unit = Location { bit_field: first, offset: at.offset - before as i64, ..at.clone() };
        self.candidates(&unit, Scalar::INT, span)
    }

    /// The value at a place.
    pub(crate) fn load(&mut self, location: &Location, scalar: Scalar, span: Span) -> Result<Value> {
        self.note_value(location, false, span);
        if self.is_nowhere(location) {
            self.require(Check::Deref, Expr::bool(false, span), span);
            return Ok(self.arbitrary(scalar, span));
        }
        if self.is_unknown(location, span)? {
            return Ok(self.arbitrary(scalar, span));
        }
        let defined = self.defined(location, scalar, span)?;
        if defined.kind == ExprKind::Bool(true) || self.watches() {
            self.require_object(location, defined, span)?;
            return self.load_defined(location, scalar, span);
        }
        self.atomically(span, |t| {
            t.require_object(location, defined, span)?;
            let value = t.load_defined(location, scalar, span)?;
            Ok(t.settled(Value { reads: true, ..value }, span))
        })
    }

    /// The value at a place that is there.
    pub(crate) fn load_defined(&mut self, location: &Location, scalar: Scalar, span: Span) -> Result<Value> {
        if self.drops(scalar) && !self.watches() {
            return Ok(self.number(scalar, 0, span));
        }
        let candidates = self.candidates(location, scalar, span)?;
        let watched = self.memory_location(location, &candidates, span)?;
        let ends = self.begin_read(&watched, location, span)?;
        if self.drops(scalar) {
            // Its value is not tracked, but reading it is an access.
            self.end_access(ends, span);
            return Ok(self.number(scalar, 0, span));
        }
        let open = candidates.iter().any(|(_, slot)| slot.open && matches!(slot.scalar, Scalar::Int { .. }));
        let narrowed = candidates.iter().any(|(_, slot)| slot.scalar != scalar);
        let values = candidates.into_iter().map(|(guard, slot)| {
            let reads = slot.shared && self.frame.atomic == 0;
            let raw = self.ints.any(slot.scalar, self.read(&slot, span), reads);
            if open && narrowed && matches!(slot.scalar, Scalar::Int { .. }) {
                self.assume_in_range(guard.as_ref(), slot.scalar, &raw.expr, span);
            }
            (guard, self.ints.convert(slot.scalar, scalar, raw, span))
        });
        let choose = |guard, value: Value, other: Value| Value {
            expr: build::ite(guard, value.expr, other.expr, span),
            range: value.range.hull(&other.range),
            reads: value.reads || other.reads,
        };
        let Some(mut value) = one_by_guard(values, choose) else {
            return reject(span, "this pointer points to nothing of this type");
        };
        if open && !narrowed {
            value = if self.ints == Ints::Math { self.settled(value, span) } else { value };
            self.assume_in_range(None, scalar, &value.expr, span);
        }
        if ends.is_empty() {
            return Ok(value);
        }
        let value = self.settled(Value { reads: true, ..value }, span);
        self.end_access(ends, span);
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
    pub(crate) fn store(&mut self, location: &Location, scalar: Scalar, value: Value, span: Span) -> Result<Value> {
        self.note_value(location, true, span);
        if self.is_nowhere(location) {
            self.require(Check::Deref, Expr::bool(false, span), span);
            return Ok(value);
        }
        if self.is_unknown(location, span)? {
            return Ok(value);
        }
        self.require_writable(location, span)?;
        let defined = self.defined(location, scalar, span)?;
        if defined.kind == ExprKind::Bool(true) || self.watches() {
            self.require_object(location, defined, span)?;
            return self.store_defined(location, scalar, value, span);
        }
        let value = self.settled(value, span);
        self.atomically(span, |t| {
            t.require_object(location, defined, span)?;
            t.store_defined(location, scalar, value, span)
        })
    }

    fn store_defined(&mut self, location: &Location, scalar: Scalar, value: Value, span: Span) -> Result<Value> {
        if self.drops(scalar) && !self.watches() {
            self.note_float(location, span)?;
            return Ok(value);
        }
        let candidates = self.candidates(location, scalar, span)?;
        let shared = candidates.iter().any(|(_, slot)| slot.shared);
        let value = if shared && self.frame.atomic == 0 { self.settled(value, span) } else { value };
        let watched = self.memory_location(location, &candidates, span)?;
        let ends = self.begin_write(&watched, location, span)?;
        if self.drops(scalar) {
            self.end_access(ends, span);
            return Ok(value);
        }
        if scalar != Scalar::Bool && candidates.iter().any(|(_, slot)| slot.scalar == Scalar::Bool) {
            return self.needs_bytes(&location.objects(), span);
        }
        let writes = candidates.into_iter().map(|(guard, slot)| {
            let converted = self.ints.convert(scalar, slot.scalar, value.clone(), span);
            let assignment = self.write(&slot, converted.expr, span);
            (guard, Stmt { kind: StmtKind::Assign(vec![assignment]), span })
        });
        match one_by_guard(writes, if_else) {
            Some(Stmt { kind: StmtKind::Assign(mut both), .. }) => {
                both.extend(ends);
                self.emit(StmtKind::Assign(both), span);
            }
            rest => {
                self.out.extend(rest);
                self.end_access(ends, span);
            }
        }
        Ok(value)
    }

    /// The only slot that a place can mean.
    pub(crate) fn only_slot(&mut self, location: &Location, scalar: Scalar, span: Span) -> Result<Option<Slot>> {
        if self.is_nowhere(location) {
            return Ok(None);
        }
        let mut candidates = self.candidates(location, scalar, span)?;
        Ok(if candidates.len() == 1 { candidates.pop().map(|(_, slot)| slot) } else { None })
    }
}

/// The path to the record that a leaf is in.
fn record_path(leaf: &Leaf) -> &str {
    leaf.path.rsplit_once('.').map_or("", |(record, _)| record)
}

pub(crate) fn unfitting<T>(span: Span) -> Result<T> {
    reject(span, "memory is accessed as another type than it has")
}
