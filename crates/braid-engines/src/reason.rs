//! Why there is no answer, as data: what to do about it is for others to say.

use crate::StopReason;
use crate::delay::Searched;
use braid_program::cfa::Violation;
use std::fmt;

/// Why there is no answer. As text it is a clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The engine was stopped from outside.
    Stopped(StopReason),
    /// The engine looked at a part of the program's executions only, or cannot decide: what is missing, as a clause.
    Incomplete(String),
    /// Nothing is violated as long as no bound of lowering is passed, but one can be: which, and as a clause.
    Bound(Violation, String),
    /// There are more states than so many.
    States(u64),
    /// Something has more values than can be tried one by one.
    Values {
        /// What has them.
        what: String,
        /// Infinitely many, or too many?
        infinite: bool,
    },
    /// Nothing is violated within few delays, as far as schedules were followed.
    FewDelays(Searched),
    /// Something is wrong with Braid: what, as a clause.
    Internal(String),
}

impl Reason {
    /// This is missing.
    pub(crate) fn incomplete(missing: impl ToString) -> Reason {
        Reason::Incomplete(missing.to_string())
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Stopped(reason) => reason.fmt(f),
            Reason::Incomplete(missing) | Reason::Bound(_, missing) => f.write_str(missing),
            Reason::States(most) => write!(f, "more than {most} states"),
            Reason::Values { what, infinite: true } => write!(f, "{what} has infinitely many values"),
            Reason::Values { what, infinite: false } => write!(f, "{what} has too many values"),
            Reason::FewDelays(searched) => searched.fmt(f),
            Reason::Internal(what) => write!(f, "internal: {what}"),
        }
    }
}
