//! The objects of a program: what a pointer can point to.

use crate::c::check::types::{CHAR, UNSIGNED_CHAR, plain};
use crate::c::translate::{BitField, Dimension, Layouts, Leaf};
use crate::c::tree::{FunctionId, Qualified, Type, VariableId};
use braid_program::dense_id;
use braid_program::source::Span;
use rustc_hash::FxHashMap;

dense_id!(
    /// An object, by number.
    ObjectId
);

/// A place in the tree, by the address of its node: the tree is not changed while it is translated.
pub type Site = usize;

/// The site of a tree node.
pub fn site<T>(node: &T) -> Site {
    std::ptr::from_ref(node) as usize
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    Variable(VariableId),
    String(u32),
    /// What a call allocates: all that this call ever does.
    Heap(Site),
    Function(FunctionId),
    /// Memory that the program does not know: of functions without a body, or at an address that it makes up.
    Outside,
}

#[derive(Clone, Debug)]
pub struct Object {
    pub kind: ObjectKind,
    /// `Void` where it is not known.
    pub ty: Type,
    /// Are there any number of such objects, one behind the other?
    pub many: bool,
    pub leaves: Vec<Leaf>,
    /// Is it bytes, and an access any number of them?
    pub in_bytes: bool,
    /// The size of one, in bytes.
    pub size: u64,
    /// Of an allocation: the bytes of each block, if they are constant.
    pub bytes: Option<u64>,
    /// Of an allocation: are the blocks zero at first?
    pub zeroed: bool,
}

/// What is known of the objects that a call allocates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeapType {
    pub ty: Type,
    pub many: bool,
    /// Of each block, if they are constant.
    pub bytes: Option<u64>,
    /// Is it zero at first?
    pub zeroed: bool,
    /// Does it go by itself?
    pub automatic: bool,
    /// The function whose call it lives as long as, if it is memory of `alloca`.
    pub frame_of: Option<FunctionId>,
    /// Where the call stands.
    pub span: Span,
}

/// All objects that have been met.
pub struct Objects<'u> {
    pub layouts: Layouts<'u>,
    pub list: Vec<Object>,
    by_kind: FxHashMap<ObjectKind, ObjectId>,
    heap: FxHashMap<Site, HeapType>,
}

impl<'u> Objects<'u> {
    pub fn new(layouts: Layouts<'u>, heap: FxHashMap<Site, HeapType>) -> Objects<'u> {
        Objects { layouts, list: Vec::new(), by_kind: FxHashMap::default(), heap }
    }

    pub fn get(&self, id: ObjectId) -> &Object {
        &self.list[id.index()]
    }

    /// The object, if it has been met.
    pub fn known(&self, kind: ObjectKind) -> Option<ObjectId> {
        self.by_kind.get(&kind).copied()
    }

    /// What is known of an allocation.
    pub fn allocation(&self, id: ObjectId) -> Option<&HeapType> {
        match self.get(id).kind {
            ObjectKind::Heap(site) => self.heap.get(&site),
            _ => None,
        }
    }

    pub fn of(&mut self, kind: ObjectKind) -> ObjectId {
        if let Some(&id) = self.by_kind.get(&kind) {
            return id;
        }
        let unit = self.layouts.unit;
        let (ty, many) = match kind {
            ObjectKind::Variable(id) => (unit.variables[id.index()].ty.ty.clone(), false),
            ObjectKind::String(id) => {
                let char = Qualified { constant: true, ..plain(CHAR) };
                (Type::Array(Box::new(char), Some(unit.strings[id as usize].len() as u64 + 1)), false)
            }
            ObjectKind::Heap(site) => match self.heap.get(&site) {
                Some(known) => (known.ty.clone(), known.many),
                None => (Type::Void, true),
            },
            ObjectKind::Function(_) | ObjectKind::Outside => (Type::Void, false),
        };
        let in_bytes = self.layouts.bytes.objects.contains(&kind) || self.layouts.holds_bytes(&ty);
        let ty = match self.layouts.size(&ty) {
            _ if !in_bytes => ty,
            _ if many => UNSIGNED_CHAR,
            size => Type::Array(Box::new(plain(UNSIGNED_CHAR)), Some(size).filter(|&size| size > 0)),
        };
        let mut leaves = self.layouts.leaves(&ty).unwrap_or_default();
        let size = self.layouts.size(&ty);
        if many {
            let outer = Dimension { count: None, stride: size };
            leaves.iter_mut().for_each(|leaf| leaf.dimensions.insert(0, outer));
        }
        let id = ObjectId(self.list.len() as u32);
        let (bytes, zeroed) = match kind {
            ObjectKind::Heap(site) => self.heap.get(&site).map_or((None, false), |known| (known.bytes, known.zeroed)),
            _ => (None, false),
        };
        self.list.push(Object { kind, ty, many, leaves, in_bytes, size, bytes, zeroed });
        self.by_kind.insert(kind, id);
        id
    }

    /// The offset with all indices 0; none outside of the object.
    pub fn canonical(&self, id: ObjectId, offset: i64) -> Option<u64> {
        let object = self.get(id);
        let offset = match (object.many, i64::try_from(object.size)) {
            (true, Ok(size)) if size > 0 => offset.rem_euclid(size),
            _ => offset,
        };
        let offset = u64::try_from(offset).ok().filter(|&offset| offset < object.size || offset == 0)?;
        Some(self.layouts.canonical(&object.ty, offset).0)
    }

    /// The strides of the arrays around a position.
    pub fn strides(&self, id: ObjectId, position: u64) -> Vec<u64> {
        let object = self.get(id);
        let mut strides = self.layouts.canonical(&object.ty, position).1;
        if object.many {
            strides.push(object.size);
        }
        strides
    }

    /// The leaves that an access of `bits` bits at a position (none: anywhere) can mean.
    pub fn leaves_at(&self, id: ObjectId, position: Option<u64>, bits: u32, bit_field: Option<BitField>) -> Vec<usize> {
        if self.get(id).in_bytes {
            return vec![0];
        }
        let fits = |leaf: &Leaf| {
            position.is_none_or(|position| leaf.offset == position)
                && leaf.bit_field == bit_field
                && (bit_field.is_some()
                    || leaf.opaque && position.is_some()
                    || bytes(leaf.scalar.bits()) == bytes(bits))
        };
        let leaves = self.get(id).leaves.iter().enumerate();
        leaves.filter(|(_, leaf)| fits(leaf)).map(|(number, _)| number).collect()
    }
}

/// Bits in whole bytes: a `_Bool` takes one.
fn bytes(bits: u32) -> u32 {
    bits.div_ceil(8)
}
