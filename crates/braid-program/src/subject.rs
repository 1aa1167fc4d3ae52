//! A program seen from outside: named inputs that it starts with, named outputs that it leaves.
//!
//! Hyperproperties speak of several runs of a subject by these names.

use crate::ast::{Program, Stmt, VarId};
use braid_logic::Integer;

/// What holds the contents of a variable of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A variable of its own.
    Variable(VarId),
    /// An array: element `i` lies at index `first + stride · i`.
    Array {
        /// The array.
        variable: VarId,
        /// Where element 0 is.
        first: i64,
        /// How far elements are apart.
        stride: i64,
        /// How many elements there are, if that is known; what lies beyond cannot be observed.
        length: Option<u64>,
    },
}

impl Place {
    /// The variable of the structured program.
    pub fn variable(self) -> VarId {
        match self {
            Place::Variable(variable) | Place::Array { variable, .. } => variable,
        }
    }
}

/// A name that an outsider can use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Port {
    /// The name in the source; `return` for the result of a C function.
    pub name: String,
    /// Where its value is.
    pub place: Place,
    /// Bit-vectors: are they numbers with a sign?
    pub signed: bool,
    /// The values that it can have (an array: that its elements can have), where the program's type does not say it.
    pub range: Option<(Integer, Integer)>,
}

/// A program with its ports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    /// The name of the function, or of the program seen as one.
    pub name: String,
    /// The program: one run of the subject, from arbitrary inputs.
    pub program: Program,
    /// Everything that has a name.
    pub ports: Vec<Port>,
    /// The parameters, in order: indices of ports.
    pub parameters: Vec<usize>,
    /// The result: the index of a port.
    pub result: Option<usize>,
}

impl Subject {
    /// The port of a name.
    pub fn port(&self, name: &str) -> Option<usize> {
        self.ports.iter().position(|port| port.name == name)
    }

    /// The variables that the program writes.
    pub fn written(&self) -> Vec<VarId> {
        let mut written: Vec<VarId> = self.program.statements().flat_map(Stmt::targets).collect();
        written.sort_unstable();
        written.dedup();
        written
    }
}
