//! What can be wrong with a program: the kinds of assertions, by name.

use std::fmt;

/// What an assertion is about. The order is that in which people would mend what is wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Check {
    /// What the program itself says: an assertion, an error that must not be reached, a postcondition.
    #[default]
    Assertion,
    /// Memory is accessed where there is an object that lives.
    Deref,
    /// What is freed is a block that has not been freed.
    Free,
    /// Somebody can always go on, until all have ended.
    Deadlock,
    /// Somebody can always do more than go round in circles, until all have ended.
    Progress,
    /// No two accesses to one place meet, unless both read or both are atomic.
    Race,
    /// Signed arithmetic stays in its type.
    Overflow,
    /// Divisions, shifts, conversions and joins have a meaning.
    Undefined,
    /// Local variables are read after they were given a value.
    Uninitialised,
    /// At the end, every block is freed or still pointed to.
    Memtrack,
    /// At the end, every block is freed.
    Memcleanup,
}

impl Check {
    /// All of them.
    pub const ALL: [Check; 11] = [
        Check::Assertion,
        Check::Deref,
        Check::Free,
        Check::Deadlock,
        Check::Progress,
        Check::Race,
        Check::Overflow,
        Check::Undefined,
        Check::Uninitialised,
        Check::Memtrack,
        Check::Memcleanup,
    ];

    /// The name of the property that it is part of, in the Software Verification Competition where that has one.
    pub fn name(self) -> &'static str {
        match self {
            Check::Assertion => "unreach-call",
            Check::Deref => "valid-deref",
            Check::Free => "valid-free",
            Check::Deadlock => "no-deadlock",
            Check::Progress => "progress",
            Check::Race => "no-data-race",
            Check::Overflow => "no-overflow",
            Check::Undefined => "no-undefined",
            Check::Uninitialised => "no-uninitialised",
            Check::Memtrack => "valid-memtrack",
            Check::Memcleanup => "valid-memcleanup",
        }
    }

    /// The check of a name.
    pub fn of_name(name: &str) -> Option<Check> {
        Check::ALL.into_iter().find(|check| check.name() == name)
    }
}

/// A set of checks.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Checks(u16);

impl Checks {
    /// No check.
    pub const NONE: Checks = Checks(0);
    /// The checks of memory, all four.
    pub const MEMORY: Checks = Checks::of(Check::Deref).with(Check::Free).with(Check::Memtrack).with(Check::Memcleanup);

    /// One check.
    pub const fn of(check: Check) -> Checks {
        Checks(1 << check as u16)
    }

    /// These and one more.
    pub const fn with(self, check: Check) -> Checks {
        Checks(self.0 | 1 << check as u16)
    }

    /// All that are in one of both.
    pub const fn and(self, others: Checks) -> Checks {
        Checks(self.0 | others.0)
    }

    /// All that are in both.
    pub const fn among(self, others: Checks) -> Checks {
        Checks(self.0 & others.0)
    }

    /// All that are not in the others.
    pub const fn without(self, others: Checks) -> Checks {
        Checks(self.0 & !others.0)
    }

    /// Is it one of these?
    pub const fn contains(self, check: Check) -> bool {
        self.0 & 1 << check as u16 != 0
    }

    /// Is there none?
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Does it matter for one of them who waits? The library is then another one.
    pub const fn is_about_waiting(self) -> bool {
        self.contains(Check::Deadlock) || self.contains(Check::Progress)
    }

    /// Each of them, in order.
    pub fn iter(self) -> impl Iterator<Item = Check> {
        Check::ALL.into_iter().filter(move |check| self.contains(*check))
    }
}

/// What the program itself says.
impl Default for Checks {
    fn default() -> Checks {
        Checks::of(Check::Assertion)
    }
}

impl FromIterator<Check> for Checks {
    fn from_iter<I: IntoIterator<Item = Check>>(checks: I) -> Checks {
        checks.into_iter().fold(Checks::NONE, Checks::with)
    }
}

/// Their names, with commas between them.
impl fmt::Display for Checks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Check::name).collect();
        f.write_str(&names.join(","))
    }
}

impl fmt::Debug for Checks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}
