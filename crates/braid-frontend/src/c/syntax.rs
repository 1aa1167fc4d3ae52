//! C as it is written: the parser's output, before names and types are looked at.
//!
//! The parser knows typedef names, for C cannot be parsed without, and nothing else. What it can read but Braid cannot verify
//! is [`StmtKind::Unsupported`]: reported only if the program gets there.

pub use super::lex::Token as Name;
use super::tree::{BinaryOp, CompareOp, FunctionAttributes, Qualified, Type, UpdateValue};
use braid_program::source::Span;

#[derive(Clone)]
pub struct Expr<'t> {
    pub kind: ExprKind<'t>,
    pub span: Span,
    /// Levels of nesting below, limited so that recursion over the tree is safe.
    pub height: u32,
}

#[derive(Clone)]
pub enum ExprKind<'t> {
    Name(&'t str),
    /// With its suffix; or a character, with prefix and quotes.
    Number(&'t str),
    /// Adjacent literals, with prefixes and quotes.
    String(Vec<&'t str>),
    Generic(Box<Expr<'t>>, Vec<(Option<TypeName<'t>>, Expr<'t>)>),
    /// `.name`, or `->name` if the last part is true.
    Member(Box<Expr<'t>>, Name<'t>, bool),
    Call(Box<Expr<'t>>, Vec<Expr<'t>>),
    Index(Box<Expr<'t>>, Box<Expr<'t>>),
    Literal(Box<TypeName<'t>>, Box<Initialiser<'t>>),
    SizeOf(Typed<'t>),
    /// The alignment that is needed, or (true) that objects get.
    AlignOf(Typed<'t>, bool),
    /// An operator and its operand.
    Prefix(&'t str, Box<Expr<'t>>),
    /// `++e`, `e--` and so on.
    Step(Box<Expr<'t>>, BinaryOp, UpdateValue),
    Cast(Box<TypeName<'t>>, Box<Expr<'t>>),
    Infix(Infix, Box<Expr<'t>>, Box<Expr<'t>>),
    Conditional(Box<Expr<'t>>, Option<Box<Expr<'t>>>, Box<Expr<'t>>),
    Assign(Option<BinaryOp>, Box<Expr<'t>>, Box<Expr<'t>>),
    Comma(Box<Expr<'t>>, Box<Expr<'t>>),
    OffsetOf(Box<TypeName<'t>>, Vec<Designator<'t>>),
    /// `__builtin_types_compatible_p`.
    Compatible(Box<TypeName<'t>>, Box<TypeName<'t>>),
    /// `__builtin_va_arg`.
    VaArg(Box<Expr<'t>>, Box<TypeName<'t>>),
    Statements(Vec<Stmt<'t>>),
    /// `&&label`.
    LabelValue(Name<'t>),
}

/// What stands between two operands.
#[derive(Clone, Copy, Debug)]
pub enum Infix {
    Binary(BinaryOp),
    Compare(CompareOp),
    And,
    Or,
}

/// What is asked for its type.
#[derive(Clone)]
pub enum Typed<'t> {
    Expr(Box<Expr<'t>>),
    Type(Box<TypeName<'t>>),
}

#[derive(Clone)]
pub enum Designator<'t> {
    Member(Name<'t>),
    /// `[low ... high]`, or `[low]`.
    Index(Box<Expr<'t>>, Option<Box<Expr<'t>>>),
}

#[derive(Clone)]
pub enum Initialiser<'t> {
    Expr(Expr<'t>),
    List(Vec<(Vec<Designator<'t>>, Initialiser<'t>)>, Span),
}

impl Initialiser<'_> {
    pub fn span(&self) -> Span {
        match self {
            Initialiser::Expr(expr) => expr.span,
            Initialiser::List(_, span) => *span,
        }
    }
}

/// A type with or without a name; also a parameter.
#[derive(Clone)]
pub struct TypeName<'t> {
    pub specifiers: Specifiers<'t>,
    pub declarator: Declarator<'t>,
}

impl<'t> TypeName<'t> {
    pub fn declared(&'t self) -> Declared<'t> {
        Declared { specifiers: &self.specifiers, declarator: &self.declarator, value: None }
    }
}

/// A declarator and the words in front of it, which it may share with others.
#[derive(Clone, Copy)]
pub struct Declared<'t> {
    pub specifiers: &'t Specifiers<'t>,
    pub declarator: &'t Declarator<'t>,
    /// The initial value.
    pub value: Option<&'t Initialiser<'t>>,
}

impl<'t> Declared<'t> {
    pub fn attributes(self) -> [&'t Attributes<'t>; 2] {
        [&self.specifiers.attributes, &self.declarator.attributes]
    }

    /// What is promised of a function.
    pub fn promises(self) -> FunctionAttributes {
        self.specifiers.attributes.function.union(self.declarator.attributes.function)
    }

    pub fn is_typedef(self) -> bool {
        self.specifiers.storage == Some(StorageClass::Typedef)
    }
}

/// The words in front of a declaration's declarators.
#[derive(Clone)]
pub struct Specifiers<'t> {
    pub storage: Option<StorageClass>,
    pub thread_local: bool,
    /// What qualifies the base, on a type that does not matter.
    pub qualifiers: Qualified,
    pub base: Base<'t>,
    pub attributes: Attributes<'t>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StorageClass {
    Typedef,
    Extern,
    Static,
    Automatic,
}

/// What the type specifiers name.
#[derive(Clone)]
pub enum Base<'t> {
    /// Basic words, or none: `int`.
    Basic(Type),
    Record(Box<RecordSpecifier<'t>>),
    Enum(Box<EnumSpecifier<'t>>),
    Typedef(Name<'t>),
    TypeOf(Typed<'t>),
    /// `typeof_unqual`.
    Unqualified(Typed<'t>),
    Atomic(Box<TypeName<'t>>),
    /// `__auto_type`.
    Auto,
    /// No type, but the whole of a declaration: what must hold, and the message.
    StaticAssert(Box<Expr<'t>>, Vec<&'t str>, Span),
    Unsupported(&'static str),
}

/// The attributes that mean something.
#[derive(Clone, Default)]
pub struct Attributes<'t> {
    pub packed: bool,
    /// Without a number: as far as any type asks for.
    pub aligned: Vec<Option<Typed<'t>>>,
    pub transparent_union: bool,
    pub function: FunctionAttributes,
    /// Runs before `main`; those with smaller numbers first.
    pub constructor: Option<u32>,
    /// Runs after `main`; those with greater numbers first.
    pub destructor: Option<u32>,
    /// The machine's name of an integer type.
    pub mode: Option<(&'t str, Span)>,
    pub linkage: Option<(Linkage<'t>, Span)>,
    /// The function that runs when the variable's life ends.
    pub cleanup: Option<Name<'t>>,
    /// The first one that is not supported.
    pub unsupported: Option<(&'t str, Span)>,
}

/// What the linker is told.
#[derive(Clone)]
pub enum Linkage<'t> {
    /// `weak`: without a definition the address is null.
    Weak,
    /// `alias("name")`: another name for what the program defines.
    Alias(Vec<&'t str>),
    /// `asm("name")`: the name for the linker, in pieces.
    Name(Vec<&'t str>),
}

impl<'t> Attributes<'t> {
    pub fn reject(&mut self, name: &'t str, span: Span) {
        self.unsupported = self.unsupported.or(Some((name, span)));
    }
}

#[derive(Clone)]
pub struct RecordSpecifier<'t> {
    pub is_union: bool,
    pub tag: Option<Name<'t>>,
    pub fields: Option<Vec<FieldDeclaration<'t>>>,
    pub attributes: Attributes<'t>,
    /// The largest alignment of a field in bytes; 0: as its type says.
    pub pack: u8,
    pub span: Span,
}

/// Fields, with the widths of bit-fields.
pub type FieldDeclaration<'t> = (Specifiers<'t>, Vec<(Declarator<'t>, Option<Expr<'t>>)>);

#[derive(Clone)]
pub struct EnumSpecifier<'t> {
    pub tag: Option<Name<'t>>,
    pub constants: Option<Vec<(Name<'t>, Option<Expr<'t>>)>>,
    pub attributes: Attributes<'t>,
}

#[derive(Clone)]
pub struct Declarator<'t> {
    pub name: Option<Name<'t>>,
    /// From the base type outwards: `*a[2]` is `Pointer`, then `Array`.
    pub derived: Vec<Derived<'t>>,
    pub attributes: Attributes<'t>,
    pub span: Span,
}

impl Declarator<'_> {
    pub fn unnamed(span: Span) -> Self {
        Declarator { name: None, derived: Vec::new(), attributes: Attributes::default(), span }
    }
}

#[derive(Clone)]
pub enum Derived<'t> {
    /// With its qualifiers, on a type that does not matter.
    Pointer(Qualified),
    Array(Option<Box<Expr<'t>>>, Span),
    Function(Parameters<'t>),
}

#[derive(Clone)]
pub struct Parameters<'t> {
    pub list: Vec<TypeName<'t>>,
    pub variadic: bool,
    /// `()` or a list of names.
    pub open: bool,
    /// The old form: `f(a, b) int a; {…}`.
    pub names: Vec<Name<'t>>,
}

#[derive(Clone)]
pub struct Declaration<'t> {
    pub specifiers: Specifiers<'t>,
    pub declarators: Vec<(Declarator<'t>, Option<Initialiser<'t>>)>,
    pub span: Span,
}

#[derive(Clone)]
pub struct FunctionDefinition<'t> {
    pub head: TypeName<'t>,
    /// Of the old form's parameters.
    pub old_style: Vec<Declaration<'t>>,
    pub body: Vec<Stmt<'t>>,
    /// The labels whose addresses it takes.
    pub label_values: Vec<Name<'t>>,
    /// Does it read variable arguments itself (`va_arg`)?
    pub reads_arguments: bool,
}

#[derive(Clone)]
pub enum External<'t> {
    Declaration(Box<Declaration<'t>>),
    Function(Box<FunctionDefinition<'t>>),
}

impl External<'_> {
    /// Is it a declaration of functions, and of nothing else?
    pub fn only_declares_functions(&self) -> bool {
        let is_function = |declarator: &Declarator<'_>| matches!(declarator.derived.last(), Some(Derived::Function(_)));
        match self {
            External::Declaration(declaration) => declaration.declarators.iter().all(|(of, _)| is_function(of)),
            External::Function(_) => false,
        }
    }
}

#[derive(Clone)]
pub struct Stmt<'t> {
    pub kind: StmtKind<'t>,
    pub span: Span,
}

#[derive(Clone)]
pub enum StmtKind<'t> {
    Expr(Expr<'t>),
    Declaration(Declaration<'t>),
    /// A function inside of a function.
    Function(Box<FunctionDefinition<'t>>),
    /// `__label__`: labels of this block alone.
    Labels(Vec<Name<'t>>),
    Block(Vec<Stmt<'t>>),
    If(Expr<'t>, Box<Stmt<'t>>, Option<Box<Stmt<'t>>>),
    While(Expr<'t>, Box<Stmt<'t>>),
    DoWhile(Box<Stmt<'t>>, Expr<'t>),
    /// What comes first, the test, the step and the body.
    For(Box<Stmt<'t>>, Option<Expr<'t>>, Option<Expr<'t>>, Box<Stmt<'t>>),
    Switch(Expr<'t>, Box<Stmt<'t>>),
    Case(Expr<'t>, Option<Expr<'t>>, Box<Stmt<'t>>),
    Default(Box<Stmt<'t>>),
    Break,
    Continue,
    Label(Name<'t>, Box<Stmt<'t>>),
    Goto(Name<'t>),
    /// `goto *address`.
    GotoValue(Expr<'t>),
    Return(Option<Expr<'t>>),
    Skip,
    Unsupported(&'static str),
}
