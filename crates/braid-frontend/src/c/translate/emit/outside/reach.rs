//! Where on the machine a function without a body writes, as part of the names of the variables that hold what it writes.
//!
//! A name ends with `@`, where the way begins (`a0`: the first argument that is no float, `=x`: the variable `x`), `>8` for each
//! pointer on the way, by its place in its object, and the place of the value: `+4:2` is two bytes at byte 4 of the object,
//! `+4:2/3/5` are five bits of it above the lowest three. `#10*8` says that the value is an array of 10 elements, 8 bytes apart;
//! `%10*8` that it is one of them, whose index was chosen before. `braid-cli` reads it (`machine::effects`), to have a compiled function do the same.

use crate::c::translate::{Dimension, Leaf, LibraryCall, Object};
use crate::c::tree::Type;

/// At the end of a name: the value says whether a pointer stays; otherwise it becomes null.
pub const KEPT: &str = "?";
/// At the end of a name: the place is only read. Nothing has a variable of that name: it is there for data races.
pub const READ: &str = "!";
/// At the end of a name, before others: the access is atomic.
pub const ATOMIC: &str = "~";

/// The way to an object; none if only the model knows it.
#[derive(Clone, Default)]
pub struct Reach(Option<String>);

/// Where the arguments of a call are: integers and pointers are counted by themselves.
pub fn of_arguments(call: &LibraryCall<'_>) -> Vec<Reach> {
    let mut next = (!matches!(call.expr.ty, Type::Record(_))).then_some(0);
    let mut reaches = Vec::new();
    for argument in call.arguments {
        reaches.push(Reach(next.map(|number: u32| format!("@a{number}"))));
        next = match argument.ty {
            Type::Float { .. } => next,
            Type::Record(_) | Type::Int { bits: 65.., .. } => None,
            _ => next.map(|number| number + 1),
        };
    }
    reaches
}

impl Reach {
    /// A variable with static storage.
    pub fn of_variable(name: &str) -> Reach {
        Reach(Some(format!("@={name}")))
    }

    /// What a pointer in the object points to.
    pub fn through(&self, object: &Object, leaf: &Leaf, element: u64) -> Reach {
        Reach(
            self.0
                .as_ref()
                .map(|way| format!("{way}>{}", leaf.offset + displacement(dimensions(object, leaf), element))),
        )
    }

    /// One element of a leaf.
    pub fn element(&self, object: &Object, leaf: &Leaf, element: u64) -> String {
        self.at(leaf, displacement(dimensions(object, leaf), element))
    }

    /// One whose indices were chosen before.
    pub fn any_element(&self, object: &Object, leaf: &Leaf) -> String {
        self.repeated(object, leaf, '%')
    }

    /// All elements of a leaf, as an array.
    pub fn whole(&self, object: &Object, leaf: &Leaf) -> String {
        self.repeated(object, leaf, '#')
    }

    fn repeated(&self, object: &Object, leaf: &Leaf, mark: char) -> String {
        let parts = dimensions(object, leaf).iter().map(|d| format!("{mark}{}*{}", d.count.unwrap_or(0), d.stride));
        let start = self.at(leaf, 0);
        if start.is_empty() { start } else { parts.fold(start, |text, part| text + &part) }
    }

    fn at(&self, leaf: &Leaf, more: u64) -> String {
        let Some(way) = &self.0 else { return String::new() };
        let scalar = leaf.bit_field.map_or(leaf.scalar, |field| field.scalar());
        let bits = leaf.bit_field.map_or(String::new(), |field| format!("/{}/{}", field.shift, scalar.bits()));
        let low = leaf.bit_field.map_or(0, |field| field.shift);
        format!("{way}+{}:{}{bits}", leaf.offset + more, (low + scalar.bits()).div_ceil(8))
    }
}

/// The dimensions of a leaf in one object.
fn dimensions<'a>(object: &Object, leaf: &'a Leaf) -> &'a [Dimension] {
    &leaf.dimensions[usize::from(object.many)..]
}

/// How far an element is from the first one, in bytes.
fn displacement(dimensions: &[Dimension], element: u64) -> u64 {
    let (mut rest, mut bytes) = (element, 0);
    for dimension in dimensions.iter().rev() {
        let count = dimension.count.unwrap_or(1).max(1);
        bytes += rest % count * dimension.stride;
        rest /= count;
    }
    bytes
}
