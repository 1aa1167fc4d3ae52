//! How a program is to be read, where its language leaves a choice.

use crate::c::translate::Ints;
use crate::c::tree::DataModel;
use std::path::PathBuf;

/// What the reader of a program asks for. The default is what suits the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// How wide the integer types of C are.
    pub data_model: Option<DataModel>,
    /// What the C preprocessor is told.
    pub preprocessor: Preprocessor,
    /// How the integers of C are represented.
    pub ints: Option<Ints>,
    /// Is signed overflow the error, rather than a failing assertion?
    pub overflow: bool,
    /// Is a data race the error, rather than a failing assertion?
    pub races: bool,
    /// Does undefined behaviour end an execution? If not, more executions are looked at than there are, which a proof may do.
    pub defined: bool,
}

/// What the user tells the C preprocessor, in the order of the command line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Preprocessor {
    /// Directories with headers, `-I`.
    pub include: Vec<PathBuf>,
    /// Macros, as `NAME` or `NAME=VALUE`, `-D`.
    pub define: Vec<String>,
}

impl Preprocessor {
    /// Is nothing asked for?
    pub fn is_empty(&self) -> bool {
        self.include.is_empty() && self.define.is_empty()
    }
}

/// What was used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Representation {
    /// How wide the integer types are.
    pub data_model: DataModel,
    /// How integers are represented.
    pub ints: Ints,
}
