//! What variables and addresses of a translated program are in C: for those who tell people about executions and proofs.
//!
//! Translation makes many variables of one object, and one array of many objects. The legend says for each variable which part of
//! which object it holds, and for each address which object is there. *Invariant*: nothing here changes what is translated.

use crate::c::check::types::size_of;
use crate::c::tree::{Type, Unit};
use braid_program::ast::VarId;
use braid_program::source::Span;
use rustc_hash::FxHashMap;

/// The legend of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Legend {
    /// Variables that hold what the program knows; all others are the translation's own.
    pub variables: FxHashMap<VarId, Meaning>,
    /// Objects by number.
    pub objects: Vec<Object>,
}

/// What a variable holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A part of an object, or each element of an array of the same kind of part, by its number.
    Part(Part),
    /// Parts of several objects, by address.
    Memory(Shape),
    /// Whether blocks of an object are free, by address; of the only one: whether it is.
    Free(usize),
}

/// A part of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The object's number.
    pub object: usize,
    /// The path to it, as in `.next.count`, if it is in no array.
    pub path: Option<String>,
    /// The bytes from the start of the object to each element; to the part, if it is in no array.
    pub offsets: Vec<u64>,
    /// What kind of values it has.
    pub shape: Shape,
    /// Does it belong to the thread library?
    pub library: bool,
}

/// What kind of values a part has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// An integer.
    Int {
        /// How wide it is.
        bits: u32,
        /// Has it a sign?
        signed: bool,
    },
    /// 0 or 1.
    Bool,
    /// An address.
    Pointer,
    /// A floating-point number, as its bits.
    Float {
        /// How wide it is.
        bits: u32,
    },
}

/// An object, or all objects that one declaration or one call makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// What it is.
    pub kind: Kind,
    /// Where it is declared or allocated.
    pub span: Span,
    /// Its type; `Void` where it is not known.
    pub ty: Type,
    /// Where it is.
    pub at: At,
    /// The bytes of one, if they are known.
    pub size: Option<u64>,
    /// The bytes from one to the next, if there are several.
    pub step: Option<i64>,
    /// The bytes of all of them.
    pub extent: i64,
    /// Are there several?
    pub many: bool,
}

/// What an object is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A variable.
    Variable {
        /// Its name.
        name: String,
        /// Is it one of a function?
        local: bool,
    },
    /// What a call allocates.
    Block,
    /// A string, with its text.
    String(String),
    /// A function, with its name.
    Function(String),
    /// Memory that the program does not know.
    Outside,
}

/// Where an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum At {
    /// It has no address.
    Nowhere,
    /// At this address.
    Address(i64),
    /// At a multiple of a variable's value.
    Chosen(VarId, i64),
}

/// A place inside an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inside {
    /// The object's number.
    pub object: usize,
    /// Which one, where there are several; from 0.
    pub number: Option<i64>,
    /// The bytes from its start, if that is known.
    pub offset: Option<u64>,
}

impl Legend {
    /// What is at an address. The values of variables say where objects are whose address is chosen.
    pub fn inside(&self, address: i64, value: impl Fn(VarId) -> Option<i64>) -> Option<Inside> {
        self.objects.iter().enumerate().find_map(|(object, described)| {
            let base = match described.at {
                At::Nowhere => return None,
                At::Address(base) => base,
                At::Chosen(variable, align) => value(variable)?.checked_mul(align)?,
            };
            let offset = address.checked_sub(base).filter(|offset| (0..=described.extent).contains(offset))?;
            Some(match (described.many, described.step) {
                (false, _) => Inside { object, number: None, offset: Some(offset as u64) },
                (true, None) => Inside { object, number: None, offset: None },
                (true, Some(step)) => {
                    Inside { object, number: Some(offset / step), offset: Some((offset % step) as u64) }
                }
            })
        })
    }
}

/// The type of the thread library that has a part at an offset of an object of a type, by name.
pub fn library_type<'u>(unit: &'u Unit, ty: &Type, offset: u64) -> Option<&'u str> {
    match ty {
        Type::Array(element, _) => {
            let size = size_of(&element.ty, unit.data_model, &unit.records).filter(|&size| size > 0)?;
            library_type(unit, &element.ty, offset % size)
        }
        Type::Record(id) => {
            let record = &unit.records[id.index()];
            if unit.opaque.contains_key(&record.name) {
                return Some(&record.name);
            }
            let before = record.fields.iter().filter(|field| field.offset <= offset);
            before.rev().find_map(|field| {
                let size = size_of(&field.ty.ty, unit.data_model, &unit.records)?;
                let inside = (offset - field.offset < size).then_some(offset - field.offset)?;
                library_type(unit, &field.ty.ty, inside)
            })
        }
        _ => None,
    }
}

/// The path to what is at an offset of an object of a type, as C writes it: `.rows[2].x`. The innermost part that begins there
/// and is no record or array, if there is one. A type of the library is not looked into: its members have reserved names.
pub fn path(unit: &Unit, ty: &Type, offset: u64) -> Option<String> {
    match ty {
        Type::Array(element, count) => {
            let size = size_of(&element.ty, unit.data_model, &unit.records).filter(|&size| size > 0)?;
            let index = offset / size;
            if count.is_some_and(|count| index > count) {
                return None;
            }
            Some(format!("[{index}]{}", path(unit, &element.ty, offset % size)?))
        }
        Type::Record(id) => {
            let record = &unit.records[id.index()];
            let size = |ty: &Type| size_of(ty, unit.data_model, &unit.records).unwrap_or(u64::MAX);
            let holds = |field: &&crate::c::tree::Field| {
                field.offset <= offset && offset - field.offset < size(&field.ty.ty).max(1)
            };
            let Some(field) = record.fields.iter().find(holds) else {
                return (offset == 0 || offset == record.size).then(String::new);
            };
            if field.name.as_ref().is_some_and(|name| name.starts_with("__")) {
                return Some(String::new());
            }
            let rest = path(unit, &field.ty.ty, offset - field.offset)?;
            Some(field.name.as_ref().map_or(rest.clone(), |name| format!(".{name}{rest}")))
        }
        _ => (offset == 0).then(String::new),
    }
}
