//! What a verdict relies on that the program's text does not say. `docs/assumptions.md` has the whole list.

use crate::reading::Effect;
use std::fmt;

/// Something that is taken for granted. They are ordered as they are told.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Assumption {
    /// Functions without a body are called, and do no more than this.
    Outside {
        /// What they may do.
        effect: Effect,
        /// Their names, in order.
        names: Vec<String>,
    },
    /// Functions without a body may write to pointers, which keep their values or become null.
    PointersStay,
    /// Functions without a body may get hold of locks, which they leave as they are.
    LocksStay,
    /// Memory is allocated.
    Allocation,
    /// Threads are started.
    Threads,
    /// Handles are compared, and no thread gets one that another thread had.
    Handles,
    /// Functions of a library are called with any arguments.
    AnyArguments,
    /// The program looks at its arguments.
    Arguments,
    /// The program looks at its environment.
    Environment,
    /// The program asks for the addresses of a name.
    Addresses,
    /// The program has semaphores with names.
    NamedSemaphores,
    /// Weaker memory orders than sequential consistency are asked for.
    WeakOrders,
    /// Memory is shared without atomic types, and data races are not looked for.
    NoRaces,
    /// Two operands whose order C leaves open have effects.
    Order,
    /// The bits of floats can be seen, and C leaves open which bits are not a number.
    Nan,
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::Outside { names, effect } => {
                let what = match effect {
                    Effect::Pure => "nothing",
                    Effect::WritesArguments => "only what arguments reach",
                    Effect::Anything => "only what arguments reach and global variables",
                };
                write!(f, "without a body and writing {what}: {}", names.join(", "))
            }
            Assumption::PointersStay => f.write_str("functions without a body leave pointers as they are, or null"),
            Assumption::LocksStay => f.write_str("functions without a body leave locks as they are"),
            Assumption::Allocation => f.write_str("allocating memory succeeds"),
            Assumption::Threads => f.write_str("starting threads succeeds"),
            Assumption::Handles => f.write_str("no thread gets the handle of one that is over"),
            Assumption::AnyArguments => f.write_str("pointers that are any argument lead to objects of their own"),
            Assumption::Arguments => f.write_str("a name and at most 7 arguments of at most 15 characters"),
            Assumption::Environment => f.write_str("values in the environment have at most 15 characters"),
            Assumption::Addresses => f.write_str("a name has at most two addresses"),
            Assumption::NamedSemaphores => f.write_str("no named semaphores but those of the program"),
            Assumption::WeakOrders => f.write_str("atomic operations are sequentially consistent"),
            Assumption::NoRaces => f.write_str("no data races"),
            Assumption::Order => f.write_str("operands are evaluated from left to right"),
            Assumption::Nan => f.write_str("a floating-point operation gives one positive quiet NaN"),
        }
    }
}
