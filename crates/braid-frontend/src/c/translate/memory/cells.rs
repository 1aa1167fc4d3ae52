//! The variables that hold the contents of objects.
//!
//! | object | variables |
//! |---|---|
//! | a leaf outside of arrays | one of its own |
//! | a small array, all indices constant | one for each element |
//! | an array that is never accessed through pointers | an array by index |
//! | everything else: heap objects in any number, arrays behind pointers, locals of several threads behind pointers | an array by address, together with all leaves that one access can mean as well |

use crate::c::translate::{
    Access, BYTE, CellKey, Dimension, Joined, LeafKey, Marker, ObjectId, ObjectKind, Result, Room, Scalar, Translator,
    reject,
};
use crate::c::tree::{self, VariableId};
use braid_program::ast::{Expr, ProcId, Storage, Type, VarId, build};
use braid_program::source::Span;
use rustc_hash::FxHashMap;

/// Arrays of more elements are not taken apart.
pub const MOST_ELEMENTS: u64 = 64;

/// The variables that have been made.
#[derive(Default)]
pub struct Cells {
    /// Of the whole program, or of one procedure each: a function can have several.
    pub variables: FxHashMap<(Option<ProcId>, ObjectId, usize, Option<u64>), VarId>,
    pub arrays: FxHashMap<LeafKey, VarId>,
    /// Which leaves each array by address holds.
    pub members: FxHashMap<LeafKey, Vec<(ObjectId, usize)>>,
    pub addresses: FxHashMap<ObjectId, i64>,
    /// The addresses that the program can look at, in order.
    pub symbols: Vec<(ObjectId, Expr)>,
    /// The same: the variables that these are multiples of, and of what.
    pub chosen: Vec<(ObjectId, VarId, i64)>,
    /// Where there is room for the next object.
    pub next_address: FxHashMap<Room, i64>,
    /// Who is accessing which variable, where that is checked.
    pub markers: FxHashMap<(VarId, Access), Marker>,
    /// Of the whole program, or of one procedure each, as the variables are.
    extras: FxHashMap<(Option<ProcId>, ObjectId, Extra), VarId>,
    /// Which one of the objects a variable is that is a new one at each declaration, by procedure.
    pub numbers: FxHashMap<(ProcId, ObjectId), VarId>,
}

impl Cells {
    /// The variables of one kind, with the allocations that have one, in order.
    pub fn extras(&self, extra: Extra) -> Vec<(ObjectId, VarId)> {
        let own = self.extras.iter().filter(|((_, _, other), _)| *other == extra);
        let mut own: Vec<_> = own.map(|((_, object, _), variable)| (*object, *variable)).collect();
        own.sort_unstable();
        own
    }
}

/// What is kept of an allocation, besides the contents of its blocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extra {
    /// The next free address, where it happens more than once.
    Frontier,
    /// The blocks that are free, by address; of the only one: whether it is.
    Free,
    /// The ends of the blocks, by address, where their size is not constant. Of the only array of variable length: its end.
    Ends,
    /// How many blocks have not been freed.
    Live,
    /// Is a block being freed, where that is checked?
    Freeing,
    /// The address of that block, where there are several.
    FreeingAt,
    /// How often a variable has been declared that is a new object each time, or a function was called that asks for memory of `alloca`.
    Declared,
    /// Of memory of `alloca`: the call that each block lives as long as, by address. `Free` is by call there.
    CallOf,
}

/// Where a value is stored.
#[derive(Clone, Debug)]
pub enum Cell {
    Variable(VarId),
    Element { array: VarId, index: Expr },
}

/// A cell with what the values in it are.
#[derive(Clone, Debug)]
pub struct Slot {
    pub cell: Cell,
    pub scalar: Scalar,
    /// May another thread access it?
    pub shared: bool,
    /// Does it belong to the thread library? Its accesses are ordered by what they are.
    pub library: bool,
    /// The bytes that it is made of; none where a cell holds it.
    pub bytes: Option<Joined>,
    /// May it hold what nobody has written? Then its values are assumed to be ones of its type when they are read.
    pub open: bool,
    pub key: Option<CellKey>,
}

impl Translator<'_, '_> {
    pub(crate) fn local_function(&self, object: ObjectId) -> Option<tree::FunctionId> {
        let ObjectKind::Variable(id) = self.points.objects.get(object).kind else { return None };
        match self.storage_of(id) {
            tree::Storage::Local(function) => Some(function),
            _ => None,
        }
    }

    fn storage_of(&self, id: VariableId) -> tree::Storage {
        self.unit.variables[id.index()].storage
    }

    /// Has each thread an object of its own that others can access through pointers?
    pub(crate) fn is_per_thread(&self, object: ObjectId) -> bool {
        let kind = self.points.objects.get(object).kind;
        let ObjectKind::Variable(id) = kind else { return false };
        match self.storage_of(id) {
            tree::Storage::Thread => self.graph.has_threads,
            tree::Storage::Local(function) => {
                self.decisions.through_pointers.contains(&kind) && !self.graph.one_at_a_time(function)
            }
            _ => false,
        }
    }

    /// May another thread see accesses to the object?
    pub(crate) fn is_shared(&self, object: ObjectId) -> bool {
        if !self.graph.has_threads {
            return false;
        }
        let kind = self.points.objects.get(object).kind;
        match kind {
            ObjectKind::Variable(id) => match self.storage_of(id) {
                tree::Storage::Local(_) | tree::Storage::Thread => {
                    self.decisions.through_pointers.contains(&kind) && self.handed_over.contains(&kind)
                }
                _ => {
                    (self.facts.in_thread.contains(&id) || self.decisions.through_pointers.contains(&kind))
                        && (self.facts.written.contains(&id) || self.facts.addressed.contains(&id))
                }
            },
            ObjectKind::Heap(_) => self.handed_over.contains(&kind),
            ObjectKind::String(_) | ObjectKind::Function(_) | ObjectKind::Outside => false,
        }
    }

    /// The slot of a leaf of an object that is accessed by name, with the indices of its dimensions.
    pub(crate) fn slot(&mut self, object: ObjectId, leaf: usize, indices: &[(Expr, u64)], span: Span) -> Result<Slot> {
        let described = self.points.objects.get(object).clone();
        let part = &described.leaves[leaf];
        let kind = described.kind;
        let by_address = described.many
            || self.is_numbered(object)
            || (!part.dimensions.is_empty() && self.decisions.through_pointers.contains(&kind));
        if by_address {
            let mut address = self.address(object, span)?;
            address = self.displaced(address, part.offset as i64, indices, span);
            return Ok(self.slot_at(object, leaf, address));
        }
        let own = |t: &mut Self, element| {
            let cell = Cell::Variable(t.variable(object, leaf, element));
            Ok(Slot { key: Some((kind, leaf, element)), ..t.slot_of(object, leaf, cell) })
        };
        if part.dimensions.is_empty() {
            return own(self, None);
        }
        if indices.len() != part.dimensions.len() {
            return reject(span, "an array is accessed as if it were something else");
        }
        if let Some(total) = elements(&part.dimensions).filter(|&total| total <= MOST_ELEMENTS) {
            let constants: Option<Vec<i64>> =
                indices.iter().map(|(index, _)| self.ints.known(self.pointer(), index)?.to_i64()).collect();
            match constants.map(|constants| flat(&part.dimensions, &constants)) {
                _ if self.decisions.indexed.contains(&kind) => {}
                Some(index) if index < total => return own(self, Some(index)),
                _ => {
                    self.learned.indexed.insert(kind);
                }
            }
        }
        let mut index = self.fixed(0, span);
        for (dimension, (at, _)) in part.dimensions.iter().zip(indices) {
            let count = dimension.count.unwrap_or(1) as i64;
            index = self.sum(self.scaled(index, count, span), at.clone(), span);
        }
        let array = self.variable(object, leaf, Some(u64::MAX));
        Ok(self.slot_of(object, leaf, Cell::Element { array, index }))
    }

    /// The slot of a leaf of an object in a cell.
    pub(crate) fn slot_of(&self, object: ObjectId, leaf: usize, cell: Cell) -> Slot {
        let part = &self.points.objects.get(object).leaves[leaf];
        let (shared, open) = (self.is_shared(object), self.is_open(object));
        Slot { cell, scalar: part.scalar, shared, library: part.opaque, bytes: None, open, key: None }
    }

    /// The slot of a leaf of an object that is accessed by an address.
    pub(crate) fn slot_at(&mut self, object: ObjectId, leaf: usize, address: Expr) -> Slot {
        let key = self.decisions.representative((self.points.objects.get(object).kind, leaf));
        let (owner, part) = (self.points.objects.of(key.0), key.1);
        let scalar = self.points.objects.get(owner).leaves[part].scalar;
        let array = match self.cells.arrays.get(&key) {
            Some(&array) => array,
            None => {
                let ty = self.array_type(scalar);
                let name = self.name(owner, part, None);
                let array = self.declare(name, ty, Storage::Global, self.object_span(owner));
                self.cells.arrays.insert(key, array);
                array
            }
        };
        let members = self.cells.members.entry(key).or_default();
        if !members.contains(&(object, leaf)) {
            members.push((object, leaf));
        }
        Slot { scalar, ..self.slot_of(object, leaf, Cell::Element { array, index: address }) }
    }

    /// Does the object start with arbitrary values? Those of scalar variables that are accessed by name alone are in range from the declaration on.
    pub(crate) fn is_open(&self, object: ObjectId) -> bool {
        let described = self.points.objects.get(object);
        match described.kind {
            kind if self.decisions.outside.contains(&kind) => true,
            ObjectKind::Variable(id) => match self.storage_of(id) {
                tree::Storage::Extern => true,
                tree::Storage::Local(_) => {
                    let addressed = self.facts.addressed.contains(&id);
                    self.facts.open.contains(&id) && (addressed || self.scalar(&described.ty).is_none())
                }
                _ => false,
            },
            ObjectKind::Heap(_) => !described.zeroed,
            _ => false,
        }
    }

    pub(crate) fn by_address(&self, ty: Type) -> Type {
        Type::Array(Box::new(self.ints.ty(self.pointer())), Box::new(ty))
    }

    fn array_type(&self, scalar: Scalar) -> Type {
        self.by_address(self.ints.cell_type(scalar))
    }

    /// The variable that keeps something of an allocation.
    pub(crate) fn extra(&mut self, object: ObjectId, extra: Extra, span: Span) -> VarId {
        // Each call has arrays of variable length of its own, unless they are in memory by address.
        let procedure = self.procedure_of(object).filter(|_| extra == Extra::Ends && !self.is_numbered(object));
        if let Some(&known) = self.cells.extras.get(&(procedure, object, extra)) {
            return known;
        }
        let address = self.ints.ty(self.pointer());
        let (name, ty) = match extra {
            Extra::Frontier => ("next", address),
            Extra::Free if self.is_of_calls(object) => ("free", Type::Array(Box::new(Type::Int), Box::new(Type::Bool))),
            Extra::Free if self.points.objects.get(object).many || self.is_numbered(object) => {
                ("free", self.by_address(Type::Bool))
            }
            Extra::Free => ("free", Type::Bool),
            Extra::Ends if !self.points.objects.get(object).many && !self.is_numbered(object) => ("end", address),
            Extra::Ends => ("end", self.by_address(address)),
            Extra::Live => ("live", Type::Int),
            Extra::Freeing => ("freeing", Type::Bool),
            Extra::FreeingAt => ("freeing.at", address),
            Extra::Declared => ("declared", Type::Int),
            Extra::CallOf => ("call", self.by_address(Type::Int)),
        };
        let storage = procedure.map_or(Storage::Global, Storage::Local);
        let variable = self.declare(format!("heap{}.{name}", object.0), ty, storage, span);
        self.cells.extras.insert((procedure, object, extra), variable);
        variable
    }

    /// The value of that variable.
    pub(crate) fn kept_of(&mut self, object: ObjectId, extra: Extra, span: Span) -> Expr {
        let variable = self.extra(object, extra, span);
        self.var(variable, span)
    }

    /// An address moved by a constant and by indices times strides.
    pub(crate) fn displaced(&self, address: Expr, offset: i64, indices: &[(Expr, u64)], span: Span) -> Expr {
        let mut address = self.sum(address, self.fixed(offset, span), span);
        for (index, stride) in indices {
            let by = self.scaled(index.clone(), *stride as i64, span);
            address = self.sum(address, by, span);
        }
        address
    }

    /// The sum of two values of pointer type, without wrapping.
    pub(crate) fn sum(&self, a: Expr, b: Expr, span: Span) -> Expr {
        let value = |expr| self.ints.any(self.pointer(), expr, false);
        let sum = self.ints.binary(tree::BinaryOp::Add, self.pointer(), value(a), value(b), span);
        sum.unwrap_or_else(|_| unreachable!("sums are exact in every representation")).expr
    }

    pub(crate) fn scaled(&self, a: Expr, by: i64, span: Span) -> Expr {
        let by = self.number(self.pointer(), by, span);
        let a = self.ints.any(self.pointer(), a, false);
        let product = self.ints.binary(tree::BinaryOp::Multiply, self.pointer(), a, by, span);
        product.unwrap_or_else(|_| unreachable!("products are exact in every representation")).expr
    }

    pub(crate) fn object_span(&self, object: ObjectId) -> Span {
        match self.points.objects.get(object).kind {
            ObjectKind::Variable(id) => self.unit.variables[id.index()].span,
            ObjectKind::Function(id) => self.unit.functions[id.index()].span,
            _ => self.points.objects.allocation(object).map(|heap| heap.span).unwrap_or_default(),
        }
    }

    pub(crate) fn object_name(&self, object: ObjectId) -> String {
        match self.points.objects.get(object).kind {
            ObjectKind::Variable(id) => self.unit.variables[id.index()].name.clone(),
            ObjectKind::String(id) => format!("string{id}"),
            ObjectKind::Heap(_) => format!("heap{}", object.0),
            ObjectKind::Function(id) => self.unit.functions[id.index()].name.clone(),
            ObjectKind::Outside => "outside".to_owned(),
        }
    }

    pub(crate) fn name(&self, object: ObjectId, leaf: usize, element: Option<u64>) -> String {
        let described = self.points.objects.get(object);
        let name = self.object_name(object);
        let path = &described.leaves[leaf].path;
        match element.filter(|&element| element != u64::MAX) {
            Some(element) => format!("{name}{path}[{element}]"),
            None => format!("{name}{path}"),
        }
    }

    /// The procedure that has an object of its own: the one that is being translated, if nobody else gets there.
    fn procedure_of(&self, object: ObjectId) -> Option<ProcId> {
        let kind = self.points.objects.get(object).kind;
        let local = self.local_function(object).is_some() && !self.decisions.through_pointers.contains(&kind);
        local.then_some(self.frame.procedure)
    }

    /// The variable of a leaf; of an array: of an element, or (`u64::MAX`) of the whole.
    pub(crate) fn variable(&mut self, object: ObjectId, leaf: usize, element: Option<u64>) -> VarId {
        let procedure = self.procedure_of(object);
        if let Some(&known) = self.cells.variables.get(&(procedure, object, leaf, element)) {
            return known;
        }
        let scalar = self.points.objects.get(object).leaves[leaf].scalar;
        let ty = if element == Some(u64::MAX) { self.array_type(scalar) } else { self.ints.cell_type(scalar) };
        let name = self.name(object, leaf, element);
        let storage = procedure.map_or(Storage::Global, Storage::Local);
        let variable = self.declare(name, ty, storage, self.object_span(object));
        self.cells.variables.insert((procedure, object, leaf, element), variable);
        variable
    }

    /// The value in a slot.
    pub(crate) fn read(&self, slot: &Slot, span: Span) -> Expr {
        if let (Some(bytes), Cell::Element { array, index }) = (slot.bytes, &slot.cell) {
            let joined = self.joined(*array, index, bytes, span);
            if slot.scalar == Scalar::Bool {
                let byte = self.ints.any(BYTE, joined, false);
                return self.ints.convert(BYTE, Scalar::Bool, byte, span).expr;
            }
            return self.bits_of(joined, bytes.shift, slot.scalar.bits(), span);
        }
        let cell = match &slot.cell {
            Cell::Variable(variable) => self.var(*variable, span),
            Cell::Element { array, index } => build::select(self.var(*array, span), index.clone(), span),
        };
        self.ints.of_cell(slot.scalar, cell, span)
    }

    /// The assignment that puts a value into a slot.
    pub(crate) fn write(&mut self, slot: &Slot, value: Expr, span: Span) -> (VarId, Expr) {
        if let Some(key) = slot.key {
            self.learned.handles.entry(key).or_default().others = true;
        }
        self.write_handle(slot, value, span)
    }

    /// The same, without a note that something else than a handle is written.
    pub(crate) fn write_handle(&self, slot: &Slot, value: Expr, span: Span) -> (VarId, Expr) {
        if let (Some(bytes), Cell::Element { array, index }) = (slot.bytes, &slot.cell) {
            return (*array, self.set_bytes((*array, index), bytes, slot.scalar, value, span));
        }
        let value = self.ints.to_cell(slot.scalar, value, span);
        match &slot.cell {
            Cell::Variable(variable) => (*variable, value),
            Cell::Element { array, index } => {
                (*array, build::store(self.var(*array, span), index.clone(), value, span))
            }
        }
    }
}

/// How many elements dimensions have, if they are bounded.
pub fn elements(dimensions: &[Dimension]) -> Option<u64> {
    dimensions.iter().try_fold(1u64, |total, dimension| total.checked_mul(dimension.count?))
}

/// The number of an element; beyond all where an index is outside.
fn flat(dimensions: &[Dimension], indices: &[i64]) -> u64 {
    let mut number = 0u64;
    for (dimension, &index) in dimensions.iter().zip(indices) {
        let count = dimension.count.unwrap_or(0);
        match u64::try_from(index) {
            Ok(index) if index < count => number = number * count + index,
            _ => return u64::MAX,
        }
    }
    number
}
