//! Structured programs, as front ends make them and transformations change them.
//!
//! A program is plain data: names are resolved to dense ids, expressions are typed, and nothing points into a term pool,
//! so a program can be sent to another thread and lowered there. `lower` turns it into automata.

pub mod build;
mod checks;
mod expr;
mod fold;
mod visit;

pub use checks::{Check, Checks};
pub use expr::{Expr, ExprKind, Op, Type, TypeError};
pub use fold::{Fold, fold_expr, fold_stmt};

use crate::dense_id;
use crate::source::{Sources, Span};

dense_id!(
    /// A variable of the program: an index into [`Program::variables`].
    VarId
);
dense_id!(
    /// An uninterpreted function: an index into [`Program::functions`].
    FunId
);
dense_id!(
    /// A procedure: an index into [`Program::procedures`].
    ProcId
);
dense_id!(
    /// A label, unique in the whole program.
    LabelId
);

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The name in the source. Not unique: scopes may shadow each other.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Who has a copy of it.
    pub storage: Storage,
    /// Where it is declared.
    pub span: Span,
}

/// How many copies of a variable there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// One for the whole program.
    Global,
    /// One for each running instance of the procedure.
    Local(ProcId),
    /// None: it stands for any value in the quantifiers that bind it, and occurs nowhere else.
    Bound,
}

/// An uninterpreted function: it has arguments, and never changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name, unique among functions.
    pub name: String,
    /// The argument types, at least one.
    pub arguments: Vec<Type>,
    /// The result type.
    pub result: Type,
    /// Where it is declared.
    pub span: Span,
}

/// A procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Procedure {
    /// Its name, unique among procedures.
    pub name: String,
    /// The parameters, local to the procedure.
    pub parameters: Vec<VarId>,
    /// The results, local to the procedure; their values at the end are what the call gives.
    pub results: Vec<VarId>,
    /// A local integer that is the identity of the running thread, and that nobody writes: what `Async` gave as the handle,
    /// or `Fork` as the identity; 0 in the main procedure. Branches of a `par` and procedures that are called have the
    /// identity of the thread that they stand in.
    pub identity: Option<VarId>,
    /// What it does.
    pub body: Stmt,
    /// Where it is declared.
    pub span: Span,
}

/// What is claimed of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// No execution reaches the end of the main procedure: {true} program {false}, as Weaver reads a program.
    NoCompleteExecution,
    /// No execution violates an `assert`.
    AssertionsHold,
    /// No execution violates an `assert`, and none gets to a deadlock ([`crate::deadlock`]).
    NoDeadlock,
    /// No execution violates an `assert`, and none gets to a livelock ([`crate::livelock`]).
    Progress,
}

impl Claim {
    /// Does it matter who waits?
    pub fn is_about_waiting(self) -> bool {
        matches!(self, Claim::NoDeadlock | Claim::Progress)
    }
}

/// Who can let a thread go on that waits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Release<E> {
    /// Any other thread, for all that is known.
    Anyone,
    /// The thread with this identity, and nobody else. A number that is nobody's identity means anyone.
    Thread(E),
    /// Nobody, and nobody has to: the whole program is over.
    Over,
}

impl<E> Release<E> {
    /// The expression that names a thread.
    pub fn thread(&self) -> Option<&E> {
        match self {
            Release::Thread(identity) => Some(identity),
            Release::Anyone | Release::Over => None,
        }
    }

    /// The same with another expression.
    pub fn map<F>(&self, change: impl FnOnce(&E) -> F) -> Release<F> {
        match self {
            Release::Anyone => Release::Anyone,
            Release::Thread(identity) => Release::Thread(change(identity)),
            Release::Over => Release::Over,
        }
    }
}

/// A program. All variables start with arbitrary values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The texts that the spans point into.
    pub sources: Sources,
    /// All variables, global and local.
    pub variables: Vec<Variable>,
    /// All uninterpreted functions.
    pub functions: Vec<Function>,
    /// All procedures.
    pub procedures: Vec<Procedure>,
    /// The procedure that runs first; it has neither parameters nor results.
    pub main: ProcId,
    /// Formulas that the user expects to help a proof. They are not trusted.
    pub seeds: Vec<Expr>,
    /// What is to be shown.
    pub claim: Claim,
}

impl Program {
    /// A program of nothing yet; its first procedure will be the main one.
    pub fn new(sources: Sources, claim: Claim) -> Program {
        let (variables, functions, procedures, seeds) = Default::default();
        Program { sources, variables, functions, procedures, main: ProcId(0), seeds, claim }
    }

    /// All statements of all procedures, in no particular order.
    pub fn statements(&self) -> impl Iterator<Item = &Stmt> {
        visit::below(self.procedures.iter().map(|procedure| &procedure.body).collect())
    }

    /// The variable of an id.
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.index()]
    }

    /// The function of an id.
    pub fn function(&self, id: FunId) -> &Function {
        &self.functions[id.index()]
    }

    /// The procedure of an id.
    pub fn procedure(&self, id: ProcId) -> &Procedure {
        &self.procedures[id.index()]
    }
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

impl Stmt {
    /// The statement that does nothing.
    pub fn skip(span: Span) -> Stmt {
        Stmt { kind: StmtKind::Seq(Vec::new()), span }
    }
}

/// The kinds of statements.
///
/// Tests of `If` and `While` are steps of their own, as in Weaver: another thread may run between a test and what follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StmtKind {
    /// Goes on only if the formula holds.
    Assume(Expr),
    /// Waits until the formula holds. Like `Assume`, but that a thread waits here for ever can be a deadlock.
    Await(Expr, Box<Release<Expr>>),
    /// Fails unless the formula holds.
    Assert(Check, Expr),
    /// What happens here is not modelled, and why: executions that get here are not looked at any further.
    Unmodelled(String),
    /// Assigns all at once.
    Assign(Vec<(VarId, Expr)>),
    /// Gives the variables any values.
    Havoc(Vec<VarId>),
    /// One after the other; the empty sequence does nothing.
    Seq(Vec<Stmt>),
    /// Any one of them; the empty choice blocks.
    Choice(Vec<Stmt>),
    /// A conditional.
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// A loop with a test.
    While(Expr, Box<Stmt>),
    /// Any finite number of rounds, none included.
    Loop(Box<Stmt>),
    /// All branches side by side; ends when all have ended.
    Par(Vec<Stmt>),
    /// One indivisible step. Holds no `Par`, and no jump from outside enters it. It waits like any step: where a way
    /// through it cannot be finished, it was not begun. What it starts runs when it is over.
    Atomic(Box<Stmt>),
    /// The scope of a variable. The variable is not reset when the scope is entered again.
    Declare(VarId, Box<Stmt>),
    /// Calls a procedure, and waits for its end.
    Call {
        /// The variables that take the results.
        results: Vec<VarId>,
        /// The procedure.
        procedure: ProcId,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// Ends the procedure.
    Return,
    /// Starts a thread that runs a procedure, under an identity that `Join` can name.
    Fork {
        /// The identity, an integer; need not be unique.
        identity: Expr,
        /// The procedure.
        procedure: ProcId,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// Waits for the end of some thread that was forked with this identity.
    Join {
        /// The variables that take the results of the thread's procedure.
        results: Vec<VarId>,
        /// The identity.
        identity: Expr,
    },
    /// Starts a task that runs a procedure; the task's own new identity goes into an integer variable.
    Async {
        /// The variable that takes the identity.
        handle: Option<VarId>,
        /// The procedure.
        procedure: ProcId,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// Waits for the end of the task with this identity.
    Wait {
        /// The variables that take the results of the task's procedure.
        results: Vec<VarId>,
        /// The identity, as `Async` gave it.
        handle: Expr,
    },
    /// A place that `Goto` of the same procedure can name.
    Label(LabelId),
    /// Goes on at any one of the labels.
    Goto(Vec<LabelId>),
}
