//! C programs after type checking: what the checker (`c::check`) makes and the translation (`c::translate`) reads.
//!
//! Names are resolved, every expression has its type, and every conversion that C does silently is a [`ExprKind::Cast`]
//! or a [`ExprKind::Load`]: integer promotions, usual arithmetic conversions, array and function decay, conversions of
//! arguments, results and assigned values. Constants are folded where C asks for constant expressions (array sizes, enum values, cases,
//! `sizeof`, `_Alignof`, `offsetof`). What is left has C's order of evaluation, left to right where C leaves it open.

#![allow(missing_docs, reason = "the names of fields and variants say it")]

use crate::{Diagnostic, Diagnostics};
use braid_logic::Integer;
use braid_program::ast::{Check, Checks};
use braid_program::dense_id;
use braid_program::source::{FileId, Sources, Span};
use rustc_hash::FxHashMap;

dense_id!(
    /// A variable: an index into [`Unit::variables`].
    VariableId
);
dense_id!(
    /// A function: an index into [`Unit::functions`].
    FunctionId
);
dense_id!(
    /// A struct or union: an index into [`Unit::records`].
    RecordId
);
dense_id!(
    /// A label of a function: unique in the unit.
    LabelId
);

/// How wide the integer types are.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64.
    #[default]
    Lp64,
}

/// A type without its name: typedefs are resolved, enums are their integer type.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Type {
    #[default]
    Void,
    /// An integer of `bits` bits. `rank` orders types of the same width as C does: signed char 0, char 1, short 2, int 3, long 4, long long 5, `__int128` 6, `va_list` 7.
    Int {
        bits: u32,
        signed: bool,
        rank: u8,
    },
    /// `_Bool`.
    Bool,
    /// `float`, `double`, `long double`, by how many bits they take in memory.
    Float {
        bits: u32,
    },
    Pointer(Box<Qualified>),
    /// `None`: of unknown size, as in an `extern` declaration, at the end of a record, or a variable of variable length.
    Array(Box<Qualified>, Option<u64>),
    /// An array of as many elements as a variable says. Only pointers lead to one: no place and no variable has such a type.
    Sized(Box<Qualified>, VariableId),
    /// A struct or a union.
    Record(RecordId),
    Function(Box<FunctionType>),
}

/// A type with what the program says about access to it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Qualified {
    pub ty: Type,
    /// `_Atomic`, or one of `stdatomic.h`'s types.
    pub atomic: bool,
    pub volatile: bool,
    pub constant: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    pub result: Type,
    pub parameters: Vec<Type>,
    pub variadic: bool,
    /// Declared without a parameter list: any arguments are accepted.
    pub open: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The tag, or the typedef's name, or a made-up one.
    pub name: String,
    pub is_union: bool,
    /// Empty for a record that is declared but never defined (`complete` is false then).
    pub fields: Vec<Field>,
    pub complete: bool,
    /// In bytes, with padding.
    pub size: u64,
    /// In bytes.
    pub align: u64,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// `None`: an anonymous struct or union, whose fields are reached through it (the checker inserts the step).
    pub name: Option<String>,
    pub ty: Qualified,
    /// In bytes from the start of the record.
    pub offset: u64,
    /// In bytes, as the field is declared.
    pub align: u64,
    /// The width of a bit-field.
    pub bit_width: Option<u32>,
    /// Of a bit-field: how many bits of its first byte belong to others before it.
    pub bit_offset: u32,
    /// Of a bit-field: how many bits lie between it and the first one that is the same memory location (C11 3.14).
    pub run_offset: u32,
}

/// A whole program: one translation unit, as verifiers take it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    pub sources: Sources,
    pub data_model: DataModel,
    pub records: Vec<Record>,
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
    /// String literals, without the final 0.
    pub strings: Vec<Vec<u8>>,
    /// The types of the thread library by name: what they are made of, as the prelude says.
    pub opaque: FxHashMap<String, RecordId>,
    /// The first text of the prelude among the sources.
    pub prelude: FileId,
}

impl Unit {
    /// Lets another function run first, instead of `main`.
    pub(crate) fn begin_at(&mut self, entry: &str) {
        for function in &mut self.functions {
            if function.name == "main" {
                function.name = "main of the program".into();
            } else if function.name == entry {
                function.name = "main".into();
            }
        }
    }

    /// Checks that hold because nothing that could violate them is called: no thread is started, and nobody waits.
    ///
    /// Whoever starts a thread or waits does it by a function of the library, which is a part of the unit where it is called.
    pub fn trivial(&self) -> Checks {
        let library = |prefixes: &[&str]| {
            let named = |function: &Function| prefixes.iter().any(|prefix| function.name.starts_with(prefix));
            self.functions.iter().any(|function| function.inline && named(function))
        };
        let threads = library(&["pthread_", "thrd_", "sem_", "mtx_", "cnd_", "call_once", "tss_", "kthread_", "spin_"]);
        let foreign = self.functions.iter().any(|function| {
            function.body.is_none()
                && (function.name.starts_with("__braid_") || function.name.starts_with("pthread_create"))
        });
        match threads || foreign {
            true => Checks::NONE,
            false => Checks::of(Check::Race).with(Check::Deadlock),
        }
    }

    pub(crate) fn rejected(&self, error: Diagnostic) -> Diagnostics {
        Diagnostics { sources: self.sources.clone(), errors: vec![error] }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: Qualified,
    pub storage: Storage,
    /// For variables with static storage: the initial value. Locals are initialised by [`StmtKind::Declare`].
    pub init: Option<Init>,
    /// The alignment in bytes that the declaration asks for beyond that of the type.
    pub align: Option<u64>,
    /// Of an array of variable length: the variables whose product is its length.
    pub lengths: Vec<VariableId>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// One for the whole program: at file level, or `static` in a function. Starts with zeros unless it has an initial value.
    Static,
    /// The same, but only declared `extern`, never defined: arbitrary initial value.
    Extern,
    /// One for each thread (`_Thread_local`, `__thread`); starts like `Static`.
    Thread,
    /// A parameter or a local variable of a function.
    Local(FunctionId),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    pub name: String,
    pub ty: FunctionType,
    /// The variables of the parameters, in order; empty where there is no body.
    pub parameters: Vec<VariableId>,
    /// `None`: declared only. Also functions that are called without any declaration.
    pub body: Option<Vec<Stmt>>,
    pub attributes: FunctionAttributes,
    /// Does the body stand where it is called? So it is with functions of the prelude: each call has one of its own.
    pub inline: bool,
    pub span: Span,
}

/// What declarations promise of a function.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FunctionAttributes {
    /// `const`: the result depends on the values of the arguments alone, and nothing is written.
    pub constant: bool,
    /// `pure`: nothing is written.
    pub pure: bool,
    /// `noreturn`: it never comes back.
    pub noreturn: bool,
    /// `no_sanitize("thread")`: its data races are intended.
    pub may_race: bool,
}

impl FunctionAttributes {
    /// What one of two declarations promises.
    pub fn union(self, other: FunctionAttributes) -> FunctionAttributes {
        FunctionAttributes {
            constant: self.constant || other.constant,
            pure: self.pure || other.pure,
            noreturn: self.noreturn || other.noreturn,
            may_race: self.may_race || other.may_race,
        }
    }
}

/// An initial value. Designators are resolved and brace elision is undone; what is not mentioned is zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Init {
    /// Of a scalar, or of a whole record by another of its type.
    Expr(Expr),
    /// Of a `char` array by a string literal.
    String(u32, Span),
    /// Elements of an array (index) or fields of a record (index into its fields), in order of evaluation.
    List(Vec<(u64, Init)>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StmtKind {
    Expr(Expr),
    /// A local variable comes to life, with indeterminate value unless initialised.
    Declare(VariableId, Option<Init>),
    Block(Vec<Stmt>),
    /// Conditions are scalar expressions: true if they differ from zero.
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    For {
        init: Box<Stmt>,
        test: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    /// `Case` and `Default` stand anywhere inside the body.
    Switch(Expr, Box<Stmt>),
    /// `case low ... high:`, of the switch's promoted type.
    Case {
        low: Integer,
        high: Integer,
        then: Box<Stmt>,
    },
    Default(Box<Stmt>),
    Break,
    Continue,
    Label(LabelId, Box<Stmt>),
    Goto(LabelId),
    Return(Option<Expr>),
    Skip,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// An integer constant (also of pointer type: null and other literal addresses).
    Int(Integer),
    /// A floating constant: its bits in the format of its type.
    Float(Integer),
    /// The address of the first character of [`Unit::strings`]'s entry.
    String(u32),
    /// The value that is stored at a place; of a record type: the whole record.
    Load(Box<Place>),
    /// `&place`, and the decay of an array to its first element.
    AddressOf(Box<Place>),
    /// A function's name as a value.
    Function(FunctionId),
    /// Operands have the type of the result, after promotion.
    Unary(UnaryOp, Box<Expr>),
    /// Operands have the type of the result; shifts: the left one has.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Operands have one common type, or are both pointers; the result is an `int`.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// `!e` for any scalar; the result is an `int`.
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    /// Both branches have the type of the result. The GNU form `a ?: b` has no middle.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    /// A pointer moved by an integer number of elements; `size` is the element's in bytes. The count has its own promoted type.
    PointerAdd {
        pointer: Box<Expr>,
        count: Box<Expr>,
        size: u64,
        negative: bool,
    },
    /// The distance of two pointers in elements.
    PointerDiff {
        left: Box<Expr>,
        right: Box<Expr>,
        size: u64,
    },
    /// The value is that of the place afterwards.
    Assign(Box<Place>, Box<Expr>),
    /// `place op= value`, calculated in the type of `value` after conversion of the place's value to it, then converted back.
    /// For pointers: `Update` with `PointerAdd` is expressed by `pointer_size`.
    Update {
        place: Box<Place>,
        op: BinaryOp,
        value: Box<Expr>,
        pointer_size: Option<u64>,
        order: UpdateValue,
    },
    /// Conversion to the expression's type.
    Cast(Box<Expr>),
    Call(Callee, Vec<Expr>),
    /// `({ … })`: its value is that of the last expression statement, if the type is not void.
    Statements(Vec<Stmt>),
    /// `(type){ … }`: a new unnamed variable gets its value; the expression's value is the variable's, and nobody uses it if that is an array.
    /// Its place is `*(literal, &variable)`.
    Literal(VariableId, Box<Init>),
}

/// An expression without the conversions around it. A conversion between integers and floats makes another value, and stays.
pub fn uncast(expr: &Expr) -> &Expr {
    let is_float = |expr: &Expr| matches!(expr.ty, Type::Float { .. });
    match &expr.kind {
        ExprKind::Cast(inner) if !is_float(expr) && !is_float(inner) => uncast(inner),
        _ => expr,
    }
}

/// Which value `Update` gives: `x += 1`, `++x` the new one, `x++` the old one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UpdateValue {
    New,
    Old,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Callee {
    Direct(FunctionId),
    Pointer(Box<Expr>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Negate,
    Complement,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompareOp {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// Something that has an address (but for bit-fields).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub kind: PlaceKind,
    pub ty: Qualified,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlaceKind {
    Variable(VariableId),
    /// What a pointer points to.
    Deref(Expr),
    /// A field, by its index in the record.
    Field(Box<Place>, u32),
    /// An element of an array place: `a[i]` where `a` is an array, not a pointer.
    Element(Box<Place>, Box<Expr>),
}
