//! What a verdict relies on that the program's text does not say. `docs/assumptions.md` has the whole list.

use crate::reading::Effect;
use std::fmt;

/// Something that is taken for granted. They are ordered as they are told.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Assumption {
    /// A function without a body is called, and does no more than this.
    Outside {
        /// What it may do.
        effect: Effect,
        /// Its name.
        name: String,
    },
    /// Functions without a body may write to pointers, which keep their values or become null.
    PointersStay,
    /// Functions without a body may get hold of locks, which they leave as they are.
    LocksStay,
    /// Memory is allocated.
    Allocation,
    /// Threads are started.
    Threads,
    /// Weaker memory orders than sequential consistency are asked for.
    WeakOrders,
    /// Memory is shared without atomic types, and data races are not looked for.
    NoRaces,
    /// Two operands whose order C leaves open have effects.
    Order,
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::Outside { name, effect } => match effect {
                Effect::Pure => write!(f, "`{name}` has no body and writes nothing"),
                Effect::WritesArguments => write!(f, "`{name}` has no body and writes only what its arguments reach"),
                Effect::Anything => write!(f, "`{name}` has no body and writes only what the program could show it"),
            },
            Assumption::PointersStay => f.write_str("functions without a body leave pointers as they are, or null"),
            Assumption::LocksStay => f.write_str("functions without a body leave locks as they are"),
            Assumption::Allocation => f.write_str("allocating memory succeeds"),
            Assumption::Threads => f.write_str("starting threads succeeds"),
            Assumption::WeakOrders => f.write_str("atomic operations are sequentially consistent"),
            Assumption::NoRaces => f.write_str("no data races"),
            Assumption::Order => f.write_str("operands are evaluated from left to right"),
        }
    }
}
