//! How a program is to be read, where its language leaves a choice.

use crate::c::translate::Ints;
use crate::c::tree::DataModel;

/// What the reader of a program asks for. The default is what suits the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// How wide the integer types of C are.
    pub data_model: Option<DataModel>,
    /// How the integers of C are represented.
    pub ints: Option<Ints>,
    /// Is signed overflow the error, rather than a failing assertion?
    pub overflow: bool,
    /// Is a data race the error, rather than a failing assertion?
    pub races: bool,
}

/// What was used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Representation {
    /// How wide the integer types are.
    pub data_model: DataModel,
    /// How integers are represented.
    pub ints: Ints,
}
