//! Types and what C says about them: sizes, alignments, promotions, the common type of two operands.

use crate::c::tree::{DataModel, FunctionType, Qualified, Record, RecordId, Type};

pub const INT: Type = Type::Int { bits: 32, signed: true, rank: 3 };
pub const UNSIGNED: Type = Type::Int { bits: 32, signed: false, rank: 3 };
pub const CHAR: Type = Type::Int { bits: 8, signed: true, rank: 1 };
pub const UNSIGNED_CHAR: Type = Type::Int { bits: 8, signed: false, rank: 1 };
pub const DOUBLE: Type = Type::Float { bits: 64 };

/// A type without qualifiers.
pub fn plain(ty: Type) -> Qualified {
    Qualified { ty, atomic: false, volatile: false, constant: false }
}

pub fn pointer_to(ty: Qualified) -> Type {
    Type::Pointer(Box::new(ty))
}

/// What an array is made of at last; other types stay.
pub fn element(ty: &Type) -> &Type {
    if let Type::Array(inner, _) | Type::Sized(inner, _) = ty { element(&inner.ty) } else { ty }
}

/// An integer type by its rank, as [`Type::Int`] numbers them.
pub fn integer(model: DataModel, rank: u8, signed: bool) -> Type {
    let bits = match rank {
        0 | 1 => 8,
        2 => 16,
        3 => 32,
        4 => pointer_bits(model),
        5 => 64,
        _ => 128,
    };
    Type::Int { bits, signed, rank }
}

pub fn pointer_bits(model: DataModel) -> u32 {
    match model {
        DataModel::Ilp32 => 32,
        DataModel::Lp64 => 64,
    }
}

/// The rank of types as wide as pointers: GCC takes that of `int` for 32 bits.
fn word_rank(model: DataModel) -> u8 {
    if model == DataModel::Ilp32 { 3 } else { 4 }
}

/// `size_t`: what `sizeof` gives.
pub fn size_type(model: DataModel) -> Type {
    integer(model, word_rank(model), false)
}

/// `ptrdiff_t`.
pub fn difference_type(model: DataModel) -> Type {
    integer(model, word_rank(model), true)
}

pub fn long_double(model: DataModel) -> Type {
    match model {
        DataModel::Ilp32 => Type::Float { bits: 96 },
        DataModel::Lp64 => Type::Float { bits: 128 },
    }
}

impl FunctionType {
    /// Gives records other numbers.
    pub(super) fn rename(&mut self, rename: &impl Fn(RecordId) -> RecordId) {
        self.result.rename(rename);
        self.parameters.iter_mut().for_each(|parameter| parameter.rename(rename));
    }
}

impl Type {
    /// Gives records other numbers.
    pub(super) fn rename(&mut self, rename: &impl Fn(RecordId) -> RecordId) {
        match self {
            Type::Record(id) => *id = rename(*id),
            Type::Pointer(inner) | Type::Array(inner, _) | Type::Sized(inner, _) => inner.ty.rename(rename),
            Type::Function(function) => function.rename(rename),
            _ => {}
        }
    }

    /// An integer type; `_Bool` is one.
    pub fn is_integer(&self) -> bool {
        matches!(self, Type::Int { .. } | Type::Bool)
    }

    /// An integer or a floating type.
    pub fn is_arithmetic(&self) -> bool {
        self.is_integer() || matches!(self, Type::Float { .. })
    }

    /// An arithmetic type or a pointer: what conditions take.
    pub fn is_scalar(&self) -> bool {
        self.is_arithmetic() || matches!(self, Type::Pointer(_))
    }

    /// A pointer, to whatever.
    pub fn is_pointer(&self) -> bool {
        matches!(self, Type::Pointer(_))
    }

    /// The function that a pointer points to.
    pub fn called(&self) -> Option<&FunctionType> {
        match &self.pointee()?.ty {
            Type::Function(function) => Some(function),
            _ => None,
        }
    }

    /// What a pointer points to.
    pub fn pointee(&self) -> Option<&Qualified> {
        match self {
            Type::Pointer(target) => Some(target),
            _ => None,
        }
    }
}

/// The integer promotions (C11 6.3.1.1).
pub fn promoted(ty: &Type) -> Type {
    match ty {
        Type::Bool => INT,
        Type::Int { rank, .. } if *rank < 3 => INT,
        other => other.clone(),
    }
}

/// The usual arithmetic conversions (C11 6.3.1.8), of arithmetic types.
pub fn common(left: &Type, right: &Type) -> Type {
    match (left, right) {
        (Type::Float { bits: left }, Type::Float { bits: right }) => Type::Float { bits: *left.max(right) },
        (Type::Float { .. }, _) => left.clone(),
        (_, Type::Float { .. }) => right.clone(),
        _ => match (promoted(left), promoted(right)) {
            (
                Type::Int { bits: left_bits, signed: left_signed, rank: left_rank },
                Type::Int { bits: right_bits, signed: right_signed, rank: right_rank },
            ) => {
                // Bit-fields wider than `int` have widths of their own. What is unsigned stays so, unless the result is wider.
                let (bits, rank) = (left_bits, left_rank).max((right_bits, right_rank));
                let signed = (left_signed || left_bits < bits) && (right_signed || right_bits < bits);
                Type::Int { bits, signed, rank }
            }
            (left, _) => left,
        },
    }
}

/// A size in bytes, absent for what has none: functions, incomplete records, arrays of unknown size. `void` counts as 1, as GCC has it.
pub fn size_of(ty: &Type, model: DataModel, records: &[Record]) -> Option<u64> {
    match ty {
        Type::Void | Type::Bool => Some(1),
        Type::Int { bits, .. } | Type::Float { bits } => Some(u64::from(bits / 8)),
        Type::Pointer(_) => Some(u64::from(pointer_bits(model) / 8)),
        Type::Array(element, count) => size_of(&element.ty, model, records)?.checked_mul((*count)?),
        Type::Sized(..) => None,
        Type::Record(id) => Some(&records[id.index()]).filter(|record| record.complete).map(|record| record.size),
        Type::Function(_) => Some(1),
    }
}

/// The alignment in bytes inside of a record.
pub fn align_of(ty: &Type, model: DataModel, records: &[Record]) -> u64 {
    match ty {
        Type::Array(element, _) | Type::Sized(element, _) => align_of(&element.ty, model, records),
        Type::Record(id) => records[id.index()].align,
        _ => match size_of(ty, model, records).unwrap_or(1) {
            size @ ..16 if model == DataModel::Ilp32 => size.min(4),
            size => size,
        },
    }
}

/// Whether C counts both as one type (C11 6.2.7), up to qualifiers at the top.
pub fn compatible(left: &Type, right: &Type) -> bool {
    match (left, right) {
        (Type::Pointer(left), Type::Pointer(right)) => {
            let qualifiers = |ty: &Qualified| (ty.constant, ty.volatile, ty.atomic);
            qualifiers(left) == qualifiers(right) && compatible(&left.ty, &right.ty)
        }
        (Type::Array(left, left_count), Type::Array(right, right_count)) => {
            compatible(&left.ty, &right.ty)
                && (left_count.is_none() || right_count.is_none() || left_count == right_count)
        }
        (Type::Sized(left, _), Type::Sized(right, _) | Type::Array(right, _))
        | (Type::Array(left, _), Type::Sized(right, _)) => compatible(&left.ty, &right.ty),
        (Type::Function(left), Type::Function(right)) => {
            let (first, second) = (&left.parameters, &right.parameters);
            let is_same_list = left.variadic == right.variadic
                && first.len() == second.len()
                && first.iter().zip(second).all(|(left, right)| compatible(left, right));
            compatible(&left.result, &right.result) && (left.open || right.open || is_same_list)
        }
        _ => left == right,
    }
}

/// Is there an `unsigned int` in it, which can be an enumeration?
pub fn mentions_unsigned(ty: &Type) -> bool {
    *ty == UNSIGNED || parts(ty).any(mentions_unsigned)
}

/// Whether a type, written out, has more parts than this.
pub fn is_larger_than(ty: &Type, limit: u32) -> bool {
    fn spend(ty: &Type, budget: &mut u32) -> bool {
        let Some(rest) = budget.checked_sub(1) else { return true };
        *budget = rest;
        parts(ty).any(|part| spend(part, budget))
    }
    let mut budget = limit;
    spend(ty, &mut budget)
}

/// The types that a type is made of.
fn parts(ty: &Type) -> impl Iterator<Item = &Type> {
    let (first, others): (_, &[Type]) = match ty {
        Type::Pointer(inner) | Type::Array(inner, _) | Type::Sized(inner, _) => (Some(&inner.ty), &[]),
        Type::Function(function) => (Some(&function.result), &function.parameters),
        _ => (None, &[]),
    };
    first.into_iter().chain(others)
}

/// A type with its qualifiers: in front, or behind a pointer's star.
pub fn display_qualified(ty: &Qualified, records: &[Record]) -> String {
    let words = [(ty.constant, "const"), (ty.volatile, "volatile"), (ty.atomic, "_Atomic")];
    let words = words.iter().filter(|(is_set, _)| *is_set).map(|(_, word)| *word);
    let shown = display(&ty.ty, records);
    if ty.ty.is_pointer() {
        words.fold(shown, |shown, word| shown + " " + word)
    } else {
        words.chain([shown.as_str()]).collect::<Vec<_>>().join(" ")
    }
}

/// A type as C writes it, with the name of a record for its definition.
pub fn display(ty: &Type, records: &[Record]) -> String {
    let qualified = |inner: &Qualified| display_qualified(inner, records);
    match ty {
        Type::Void => "void".to_owned(),
        Type::Bool => "_Bool".to_owned(),
        Type::Int { signed, rank, .. } => {
            let name = ["signed char", "char", "short", "int", "long", "long long", "__int128", "va_list"]
                [usize::from(*rank).min(7)];
            if *signed { name.to_owned() } else { format!("unsigned {name}") }
        }
        Type::Float { bits: 32 } => "float".to_owned(),
        Type::Float { bits: 64 } => "double".to_owned(),
        Type::Float { .. } => "long double".to_owned(),
        Type::Pointer(inner) => match &inner.ty {
            Type::Function(function) => {
                let parameters: Vec<String> = function.parameters.iter().map(|ty| display(ty, records)).collect();
                let mut list = parameters.join(", ");
                if function.variadic {
                    list += ", ...";
                } else if parameters.is_empty() && !function.open {
                    list += "void";
                }
                format!("{} (*)({list})", display(&function.result, records))
            }
            _ => qualified(inner) + " *",
        },
        Type::Array(inner, Some(count)) => format!("{} [{count}]", qualified(inner)),
        Type::Array(inner, None) => format!("{} []", qualified(inner)),
        Type::Sized(inner, _) => format!("{} [*]", qualified(inner)),
        Type::Record(id) => {
            let record = &records[id.index()];
            format!("{} {}", if record.is_union { "union" } else { "struct" }, record.name)
        }
        Type::Function(function) => format!("function that gives {}", display(&function.result, records)),
    }
}
