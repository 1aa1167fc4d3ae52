//! The function that is being translated, and where its jumps go.

use crate::c::translate::{Bound, Expansion, ObjectKind};
use crate::c::tree::{FunctionId, LabelId, VariableId};
use braid_logic::Integer;
use braid_program::ast::{self, ProcId, Stmt, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// How a function is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Role {
    #[default]
    Main,
    Thread,
    Called {
        /// From an atomic section? Where data races are checked, that makes a difference to its accesses.
        atomic: bool,
    },
}

/// Where `break` and `continue` go; labels are made when they are needed.
#[derive(Clone, Copy, Default)]
pub struct Jumps {
    pub break_to: Option<ast::LabelId>,
    pub continue_to: Option<ast::LabelId>,
    /// `continue` in a `switch` belongs to the loop around it.
    pub is_switch: bool,
    /// How many lives had begun before.
    pub alive: usize,
}

/// A `switch` around what is being translated.
pub struct Switch {
    /// Of its cases, by site.
    pub labels: FxHashMap<usize, ast::LabelId>,
    pub written: FxHashSet<VariableId>,
}

/// The function that is being translated.
#[derive(Default)]
pub struct Frame {
    pub function: FunctionId,
    pub procedure: ProcId,
    pub role: Role,
    /// The result's parts; of a thread: the one value that others can join.
    pub results: Vec<VarId>,
    /// How many calls there are around this one of functions that call themselves, where that is needed.
    pub depth: Option<VarId>,
    /// Whether the thread ends inside this function, and with which value.
    pub exit: Option<(VarId, VarId)>,
    /// How many atomic blocks this stands in.
    pub atomic: u32,
    /// May this be passed more than once?
    pub repeats: bool,
    /// The values of local variables, where they are known.
    pub constants: FxHashMap<VariableId, Integer>,
    pub jumps: Vec<Jumps>,
    pub switches: Vec<Switch>,
    pub labels: FxHashMap<LabelId, ast::LabelId>,
    pub identity: Option<VarId>,
    /// How many sections between `__VERIFIER_atomic_begin` and `__VERIFIER_atomic_end` are open.
    pub sections: u32,
    /// What follows where a section ends inside of other statements.
    pub section_exits: Vec<(ast::LabelId, Vec<Stmt>)>,
    pub temporaries: u32,
    /// What the parameters of expanded functions stand for.
    pub bound: FxHashMap<VariableId, Bound>,
    /// The call that is being expanded.
    pub expansion: Option<Expansion>,
    /// The calls of the cleanup handlers that are pushed here, the last one at the end.
    pub cleanups: Vec<Vec<Stmt>>,
    /// The variables that may be read before they have a value, with the flags that say so.
    pub given: FxHashMap<VariableId, VarId>,
    /// What is here whose life can end while somebody points to it, the last one at the end.
    pub alive: Vec<ObjectKind>,
    /// Whether the function has come to a value, where it may end without one.
    pub returned: Option<VarId>,
}
