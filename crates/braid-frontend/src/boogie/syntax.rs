//! The syntax tree of a Boogie program: names are words, nothing is typed yet.

use braid_program::source::Span;

/// A name where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Name {
    pub text: String,
    pub span: Span,
}

/// An attribute: `{:name argument, …}`.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub name: String,
    pub arguments: Vec<AttributeArgument>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum AttributeArgument {
    Text(String),
    Expr(Expr),
}

#[derive(Clone, Debug)]
pub(super) struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum TypeKind {
    /// A word with arguments: a basic type, a constructor, a synonym or a type parameter.
    Named(String, Vec<Type>),
    /// `<a>[I, J]E`.
    Map { parameters: Vec<Name>, indices: Vec<Type>, element: Box<Type> },
}

#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Binary {
    Iff,
    Implies,
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// `<:`.
    Below,
    Concat,
    Add,
    Sub,
    Mul,
    /// `/`, on reals.
    Divide,
    Div,
    Mod,
    Power,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unary {
    Not,
    Minus,
}

#[derive(Clone, Debug)]
pub(super) enum ExprKind {
    Bool(bool),
    /// Digits.
    Int(String),
    /// Digits and a width.
    BitVec(String, u32),
    Decimal,
    Name(String),
    /// `f(e, …)`; `old`, `int` and `real` are such words too.
    Apply(Name, Vec<Expr>),
    Unary(Unary, Box<Expr>),
    /// Operands of one operator in a row: two, or more where the operator can be read from the left over all of them.
    Binary(Binary, Vec<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `m[i, j]`.
    Select(Box<Expr>, Vec<Expr>),
    /// `m[i, j := e]`.
    Store(Box<Expr>, Vec<Expr>, Box<Expr>),
    /// `e[high:low]`, the high end left out.
    Extract(Box<Expr>, u32, u32),
    /// `e: T`.
    Typed(Box<Expr>, Type),
    /// `(forall x: T :: e)`: the word that it starts with, type parameters, variables, and what they are bound in.
    Bound {
        word: Name,
        type_parameters: Vec<Name>,
        variables: Vec<Variables>,
        body: Box<Expr>,
    },
}

/// `x, y: T where e`.
#[derive(Clone, Debug)]
pub(super) struct Variables {
    pub names: Vec<Name>,
    pub ty: Type,
    pub condition: Option<Expr>,
}

/// A parameter of a function: its name may be missing.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub name: Option<Name>,
    pub ty: Type,
}

#[derive(Clone, Debug)]
pub(super) struct Function {
    pub attributes: Vec<Attribute>,
    pub name: Name,
    pub type_parameters: Vec<Name>,
    pub parameters: Vec<Parameter>,
    pub result: Type,
    pub body: Option<Expr>,
}

#[derive(Clone, Debug)]
pub(super) struct TypeDeclaration {
    pub name: Name,
    pub parameters: Vec<Name>,
    /// What it stands for; nothing for a constructor.
    pub meaning: Option<Type>,
}

/// A clause of a contract.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    /// Is it assumed rather than checked?
    pub free: bool,
    pub formula: Expr,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Contract {
    pub requires: Vec<Clause>,
    pub ensures: Vec<Clause>,
    pub modifies: Vec<Name>,
}

/// The header of a procedure or an implementation.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub attributes: Vec<Attribute>,
    pub name: Name,
    pub type_parameters: Vec<Name>,
    pub parameters: Vec<Variables>,
    pub results: Vec<Variables>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Body {
    pub locals: Vec<Variables>,
    pub statements: Vec<Stmt>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Declaration {
    Type(TypeDeclaration),
    Constants { unique: bool, variables: Variables },
    Function(Box<Function>),
    Axiom(Expr),
    Globals(Vec<Variables>),
    Procedure { header: Box<Header>, contract: Contract, body: Option<Body> },
    Implementation { header: Box<Header>, body: Body },
}

#[derive(Clone, Debug)]
pub(super) struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// The test of `if` and `while`: none is `*`.
pub(super) type Test = Option<Expr>;

/// The target of an assignment: a variable, and the indices in brackets behind it.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub name: Name,
    pub indices: Vec<Vec<Expr>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum StmtKind {
    Label(Name),
    Assert(Expr),
    Assume(Vec<Attribute>, Expr),
    Havoc(Vec<Name>),
    Assign(Vec<Target>, Vec<Expr>),
    Call { attributes: Vec<Attribute>, results: Vec<Name>, procedure: Name, arguments: Vec<Expr> },
    If(Test, Vec<Stmt>, Vec<Stmt>),
    While { test: Test, invariants: Vec<Clause>, body: Vec<Stmt> },
    Break(Option<Name>),
    Goto(Vec<Name>),
    Return,
    Fork { identity: Vec<Expr>, procedure: Name, arguments: Vec<Expr> },
    Join { identity: Vec<Expr>, results: Vec<Name> },
    Atomic(Vec<Stmt>),
}

impl Stmt {
    /// The statements directly inside this one.
    pub fn children(&self) -> impl Iterator<Item = &Stmt> {
        let (first, second): (&[Stmt], &[Stmt]) = match &self.kind {
            StmtKind::If(_, then, other) => (then, other),
            StmtKind::While { body, .. } | StmtKind::Atomic(body) => (body, &[]),
            _ => (&[], &[]),
        };
        first.iter().chain(second)
    }
}
