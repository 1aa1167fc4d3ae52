//! How C types lie in memory: a type is a list of *leaves*, single values at constant offsets.
//!
//! An array multiplies the leaves of its element by a dimension instead of copying them. Types of the thread library are opaque:
//! they are one integer each (mutexes and barriers: three), whose meaning is the library models' business.

use crate::c::translate::{BYTE, ObjectKind, Scalar};
use crate::c::tree::{
    BinaryOp, DataModel, Expr, ExprKind, Field, Place, PlaceKind, RecordId, Type, UnaryOp, Unit, uncast,
};
use rustc_hash::FxHashSet;

/// More leaves than this in one type are refused.
const MOST_LEAVES: usize = 2048;

/// One level of array around a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dimension {
    /// `None`: unbounded.
    pub count: Option<u64>,
    /// In bytes.
    pub stride: u64,
}

/// A bit-field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BitField {
    /// In its record.
    number: u32,
    /// How many bits of its first byte lie below it.
    pub shift: u32,
    width: u32,
    signed: bool,
    /// How many bits lie between it and the first one that is the same memory location.
    run_offset: u32,
}

impl BitField {
    /// The bit-field that a field is, with its number.
    pub fn of(field: &Field, number: u32) -> Option<BitField> {
        let signed = matches!(field.ty.ty, Type::Int { signed: true, .. });
        Some(BitField {
            number,
            shift: field.bit_offset,
            width: field.bit_width?.max(1),
            signed,
            run_offset: field.run_offset,
        })
    }

    /// Where its memory location begins, in bits, if its first byte is at an offset.
    pub fn location(self, offset: u64) -> u64 {
        (offset * 8 + u64::from(self.shift)).saturating_sub(u64::from(self.run_offset))
    }

    pub fn scalar(self) -> Scalar {
        Scalar::Int { bits: self.width, signed: self.signed }
    }
}

/// A single value in a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// In bytes, with all indices 0.
    pub offset: u64,
    pub scalar: Scalar,
    /// From the outermost to the innermost.
    pub dimensions: Vec<Dimension>,
    /// The path to it, as in `.next.count`.
    pub path: String,
    /// Bit-fields share offsets.
    pub bit_field: Option<BitField>,
    /// The unions in which leaves of other members and of different layout overlap this one, with the number of its member.
    pub overlaps: Vec<(RecordId, u32)>,
    /// Belongs to the library.
    pub opaque: bool,
}

/// Memory that is bytes, because types do not say what is in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bytes {
    /// Objects that are accessed as other types than they have, or in parts.
    pub objects: FxHashSet<ObjectKind>,
    /// Unions of which members are used that overlap.
    pub unions: FxHashSet<RecordId>,
}

/// The layouts of a program's types.
#[derive(Clone, Copy)]
pub struct Layouts<'u> {
    pub unit: &'u Unit,
    pub bytes: &'u Bytes,
    /// Do floats and integers of one size share their cells?
    pub floats_are_bits: bool,
}

impl<'u> Layouts<'u> {
    pub fn model(self) -> DataModel {
        self.unit.data_model
    }

    pub fn scalar(self, ty: &Type) -> Option<Scalar> {
        Scalar::of(ty, self.model())
    }

    /// What a record of the library is made of: the prelude has one of the same name.
    fn contents(self, record: RecordId) -> Option<RecordId> {
        let own = self.unit.opaque.get(&self.unit.records[record.index()].name).copied();
        own.filter(|&own| own != record)
    }

    /// Is the record one of the library's?
    pub fn is_opaque(self, record: RecordId) -> bool {
        self.contents(record).is_some()
    }

    /// Does a value of the type hold a union that is bytes?
    pub fn holds_bytes(self, ty: &Type) -> bool {
        match ty {
            Type::Array(element, _) => self.holds_bytes(&element.ty),
            Type::Record(record) if !self.bytes.unions.is_empty() => {
                let fields = &self.unit.records[record.index()].fields;
                self.bytes.unions.contains(record) || fields.iter().any(|field| self.holds_bytes(&field.ty.ty))
            }
            _ => false,
        }
    }

    /// The size in bytes; 0 where C has none.
    pub fn size(self, ty: &Type) -> u64 {
        match ty {
            Type::Void | Type::Bool => 1,
            Type::Int { bits, .. } | Type::Float { bits } => u64::from(bits.div_ceil(8)),
            Type::Pointer(_) | Type::Function(_) => u64::from(Scalar::pointer(self.model()).bits() / 8),
            Type::Array(element, count) => self.size(&element.ty).saturating_mul(count.unwrap_or(0)),
            Type::Sized(..) => 0,
            Type::Record(record) => self.unit.records[record.index()].size,
        }
    }

    /// The value of a number that is constant, also as the offset of a field: `(size_t)&((struct s *)0)->field`.
    pub fn constant(self, expr: &Expr) -> Option<i64> {
        match &uncast(expr).kind {
            ExprKind::Int(value) => value.to_i64(),
            ExprKind::Unary(UnaryOp::Negate, inner) => self.constant(inner)?.checked_neg(),
            ExprKind::Binary(BinaryOp::Multiply, a, b) => self.constant(a)?.checked_mul(self.constant(b)?),
            ExprKind::AddressOf(place) => self.constant_address(place),
            _ => None,
        }
    }

    fn constant_address(self, place: &Place) -> Option<i64> {
        match &place.kind {
            PlaceKind::Variable(_) => None,
            PlaceKind::Deref(pointer) => self.constant(pointer),
            PlaceKind::Field(inner, number) => {
                let Type::Record(record) = inner.ty.ty else { return None };
                let field = self.unit.records[record.index()].fields.get(*number as usize)?;
                self.constant_address(inner)?.checked_add_unsigned(field.offset)
            }
            PlaceKind::Element(inner, index) => {
                let size = i64::try_from(self.size(&place.ty.ty)).ok()?;
                self.constant_address(inner)?.checked_add(self.constant(index)?.checked_mul(size)?)
            }
        }
    }

    /// The leaves of a type; none if there are too many, or if it is incomplete.
    pub fn leaves(self, ty: &Type) -> Option<Vec<Leaf>> {
        let mut leaves = Vec::new();
        self.collect(ty, 0, &[], "", &mut leaves).then_some(leaves)
    }

    fn collect(self, ty: &Type, offset: u64, dims: &[Dimension], path: &str, out: &mut Vec<Leaf>) -> bool {
        let leaf = |scalar| {
            let (dimensions, path) = (dims.to_vec(), path.to_owned());
            Leaf { offset, scalar, dimensions, path, bit_field: None, overlaps: Vec::new(), opaque: false }
        };
        if out.len() >= MOST_LEAVES {
            return false;
        }
        match ty {
            Type::Void | Type::Sized(..) => false,
            Type::Array(element, count) => {
                let dimension = Dimension { count: *count, stride: self.size(&element.ty) };
                self.collect(&element.ty, offset, &[dims, &[dimension]].concat(), path, out)
            }
            Type::Record(record) if self.is_opaque(*record) => {
                let first = out.len();
                let contents = self.contents(*record).unwrap_or(*record);
                let done = self.collect(&Type::Record(contents), offset, dims, path, out);
                out[first..].iter_mut().for_each(|leaf| leaf.opaque = true);
                // The whole has the name of its first part.
                out[first..].iter_mut().take(1).for_each(|leaf| path.clone_into(&mut leaf.path));
                done
            }
            Type::Record(record) => {
                let record_type = &self.unit.records[record.index()];
                if !record_type.complete {
                    return false;
                }
                if self.bytes.unions.contains(record) {
                    let mut bytes = leaf(BYTE);
                    bytes.dimensions.push(Dimension { count: Some(record_type.size), stride: 1 });
                    out.push(bytes);
                    return true;
                }
                if record_type.is_union {
                    return self.collect_union(*record, offset, dims, path, out);
                }
                record_type.fields.iter().enumerate().all(|(number, field)| {
                    let path = path_to(field, path);
                    if let Some(bit_field) = BitField::of(field, number as u32) {
                        let offset = offset + field.offset;
                        out.push(Leaf { offset, path, bit_field: Some(bit_field), ..leaf(bit_field.scalar()) });
                        return true;
                    }
                    self.collect(&field.ty.ty, offset + field.offset, dims, &path, out)
                })
            }
            _ => {
                out.push(leaf(self.scalar(ty).expect("what is left is scalar")));
                true
            }
        }
    }

    /// Members of one layout share their cells; others overlap, and the translation sees to it that only one is used.
    fn collect_union(self, id: RecordId, offset: u64, dims: &[Dimension], path: &str, out: &mut Vec<Leaf>) -> bool {
        let first = out.len();
        let mut owners = Vec::new();
        for (number, field) in self.unit.records[id.index()].fields.iter().enumerate() {
            let mut member = Vec::new();
            if !self.collect(&field.ty.ty, offset + field.offset, dims, &path_to(field, path), &mut member) {
                return false;
            }
            for leaf in member {
                if !out[first..].iter().any(|other| self.is_same_cell(other, &leaf)) {
                    out.push(leaf);
                    owners.push(number as u32);
                }
            }
        }
        let members = &mut out[first..];
        let extent = |leaf: &Leaf| {
            let inner = leaf.dimensions.iter().skip(dims.len());
            let span = inner.map(|d| d.stride.saturating_mul(d.count.unwrap_or(1).saturating_sub(1))).sum::<u64>();
            (leaf.offset, leaf.offset + span + u64::from(leaf.scalar.bits().div_ceil(8)))
        };
        let extents: Vec<(u64, u64)> = members.iter().map(extent).collect();
        for (number, leaf) in members.iter_mut().enumerate() {
            let (start, end) = extents[number];
            let meets = |(other, &(from, to)): (usize, &(u64, u64))| {
                owners[other] != owners[number] && from < end && start < to
            };
            if extents.iter().enumerate().any(meets) {
                leaf.overlaps.push((id, owners[number]));
            }
        }
        true
    }

    fn is_same_cell(self, a: &Leaf, b: &Leaf) -> bool {
        let shape = |leaf: &Leaf| (leaf.offset, leaf.scalar.bits(), leaf.bit_field);
        shape(a) == shape(b)
            && a.dimensions == b.dimensions
            && (self.floats_are_bits || a.scalar.is_float() == b.scalar.is_float())
    }

    /// The member of a union whose cells one of its members uses, where they overlap those of others.
    pub fn owner(self, union: RecordId, member: u64) -> Option<u32> {
        let field = self.unit.records[union.index()].fields.get(member as usize)?;
        let (all, own) = (self.leaves(&Type::Record(union))?, self.leaves(&field.ty.ty)?);
        let cells = all.iter().filter(|cell| own.iter().any(|leaf| self.is_same_cell(leaf, cell)));
        cells.flat_map(|cell| &cell.overlaps).find(|(record, _)| *record == union).map(|(_, owner)| *owner)
    }

    /// The offset with all array indices set to 0, and the strides of the arrays around it, outermost first.
    pub fn canonical(self, ty: &Type, offset: u64) -> (u64, Vec<u64>) {
        match ty {
            Type::Array(element, _) => {
                let stride = self.size(&element.ty);
                let inner = offset.checked_rem(stride).unwrap_or(0);
                let (position, mut strides) = self.canonical(&element.ty, inner);
                strides.insert(0, stride);
                (position, strides)
            }
            Type::Record(record) if !self.is_opaque(*record) => {
                let record = &self.unit.records[record.index()];
                let end = |field: &Field| field.offset + self.size(&field.ty.ty).max(1);
                let holds = |field: &&Field| field.offset <= offset && offset < end(field);
                // In a union, arrays are walked through: prefer a member that has one.
                let mut fields: Vec<_> = record.fields.iter().filter(holds).collect();
                fields.sort_by_key(|field| !matches!(field.ty.ty, Type::Array(..)));
                match fields.first() {
                    Some(field) => {
                        let (position, strides) = self.canonical(&field.ty.ty, offset - field.offset);
                        (field.offset + position, strides)
                    }
                    None => (offset, Vec::new()),
                }
            }
            _ => (offset, Vec::new()),
        }
    }
}

/// The path to a field of what is at a path; an anonymous one has none of its own.
fn path_to(field: &Field, path: &str) -> String {
    field.name.as_ref().map_or(path.to_owned(), |name| format!("{path}.{name}"))
}
