//! What names mean at a place: the program's constants and variables, and above them those of a procedure, of a contract
//! or of a function that is written out, where a parameter means the argument.

use super::types::Ty;
use braid_program::ast::{Expr, VarId};
use rustc_hash::FxHashMap;

/// An expression with its type.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub expr: Expr,
    pub ty: Ty,
}

/// Who may write a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Constant,
    Global,
    Parameter,
    /// A local variable or a result.
    Local,
}

/// What a name means.
#[derive(Clone, Debug)]
pub(super) struct Meaning {
    pub value: Typed,
    /// The variable, if it is one.
    pub variable: Option<VarId>,
    pub kind: Kind,
}

/// Which values global variables have in an expression.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) enum Moment {
    /// None: functions and axioms speak of constants.
    #[default]
    Never,
    /// Those of now; there is no before.
    Now,
    /// Those of now; inside `old` those at the beginning of the procedure.
    NowOrBefore,
    /// Those at the beginning of the procedure.
    Before,
}

/// The names of one procedure, contract or function.
#[derive(Clone, Default, Debug)]
pub(super) struct Scope {
    pub names: FxHashMap<String, Meaning>,
    pub moment: Moment,
}
