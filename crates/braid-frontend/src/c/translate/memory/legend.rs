//! From what was translated to its legend.

use crate::c::legend::{At, Kind, Legend, Meaning, Object, Part, Shape};
use crate::c::translate::{Extra, Leaf, ObjectId, ObjectKind, Scalar, Translator, element_offsets};
use crate::c::tree::Storage;
use braid_program::ast::VarId;
use braid_program::source::Span;

/// Of more elements than this, the later ones have no names.
const MOST_NAMES: usize = 1 << 16;

impl Translator<'_, '_> {
    /// What variables and addresses are.
    pub(crate) fn legend(&mut self) -> Legend {
        let ids: Vec<ObjectId> = (0..self.points.objects.list.len() as u32).map(ObjectId).collect();
        let objects = ids.into_iter().map(|id| self.described(id)).collect();
        let mut legend = Legend { objects, ..Legend::default() };
        for (&(_, object, leaf, element), &variable) in &self.cells.variables {
            let part = self.part(object, &self.points.objects.get(object).leaves[leaf], element);
            legend.variables.insert(variable, Meaning::Part(part));
        }
        for (key, &variable) in &self.cells.arrays {
            let Some(object) = self.points.objects.known(key.0) else { continue };
            let leaf = &self.points.objects.get(object).leaves[key.1];
            if !leaf.opaque {
                legend.variables.insert(variable, Meaning::Memory(shape(leaf.scalar)));
            }
        }
        for (object, variable) in self.cells.extras(Extra::Free) {
            if self.is_of_calls(object) {
                continue;
            }
            legend.variables.insert(variable, Meaning::Free(object.index()));
        }
        legend
    }

    fn part(&self, object: ObjectId, leaf: &Leaf, element: Option<u64>) -> Part {
        let mut offsets: Vec<u64> = match leaf.dimensions.is_empty() {
            true => vec![leaf.offset],
            false => element_offsets(leaf).take(MOST_NAMES).collect(),
        };
        if let Some(element) = element.filter(|&element| element != u64::MAX) {
            offsets = offsets.get(element as usize).copied().into_iter().collect();
        }
        let path = leaf.dimensions.is_empty().then(|| leaf.path.clone());
        Part { object: object.index(), path, offsets, shape: shape(leaf.scalar), library: leaf.opaque }
    }

    fn described(&mut self, id: ObjectId) -> Object {
        let object = self.points.objects.get(id).clone();
        let mut ty = object.ty.clone();
        let kind = match object.kind {
            ObjectKind::Variable(variable) => {
                let variable = &self.unit.variables[variable.index()];
                // Memory that is bytes is still called by the names of its type.
                ty = variable.ty.ty.clone();
                Kind::Variable { name: variable.name.clone(), local: matches!(variable.storage, Storage::Local(_)) }
            }
            ObjectKind::Heap(_) => Kind::Block,
            ObjectKind::String(number) => Kind::String(text(&self.unit.strings[number as usize])),
            ObjectKind::Function(function) => Kind::Function(self.unit.functions[function.index()].name.clone()),
            ObjectKind::Outside => Kind::Outside,
        };
        let span = self.object_span(id);
        let (numbered, many) = (self.is_numbered(id), object.many);
        let step = if many { self.block_step(id) } else { Some(self.stride(id) as i64).filter(|_| numbered) };
        let extent = self.extent_of(id, span);
        let size = if many { object.bytes } else { Some(object.size) };
        Object { kind, span, ty, at: self.place_of(id), size, step, extent, many: many || numbered }
    }

    fn place_of(&self, id: ObjectId) -> At {
        match self.cells.chosen.iter().find(|(own, ..)| *own == id) {
            Some(&(_, variable, align)) => At::Chosen(variable, align),
            None => self.cells.addresses.get(&id).map_or(At::Nowhere, |&address| At::Address(address)),
        }
    }

    /// The bytes of all objects of a kind; only those that have been given an address have any.
    fn extent_of(&mut self, id: ObjectId, span: Span) -> i64 {
        let object = self.points.objects.get(id);
        let (many, size) = (object.many, object.size);
        match (self.cells.addresses.contains_key(&id), many, self.is_numbered(id)) {
            (true, true, _) => self.region(id, span).map_or(0, |(from, to)| to - from - 1),
            (true, false, true) => {
                i64::try_from(self.stride(id).saturating_mul(self.instances(id))).unwrap_or(i64::MAX) - 1
            }
            _ => i64::try_from(size.max(1)).unwrap_or(i64::MAX),
        }
    }

    /// Remembers that the address of an object is a multiple of a variable's value.
    pub(crate) fn is_chosen(&mut self, object: ObjectId, variable: VarId, align: i64) {
        self.cells.chosen.push((object, variable, align));
    }
}

fn shape(scalar: Scalar) -> Shape {
    match scalar {
        Scalar::Int { bits, signed } => Shape::Int { bits, signed },
        Scalar::Bool => Shape::Bool,
        Scalar::Pointer(_) => Shape::Pointer,
        Scalar::Float(_) => Shape::Float { bits: scalar.bits() },
    }
}

/// The text of a string, as far as it is text.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).escape_debug().take(40).collect()
}
