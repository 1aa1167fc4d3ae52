//! What a run must not do, and what the compiler must announce so that it is seen.

/// What a run must not do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Property {
    /// No assertion fails, `reach_error` is not called.
    #[default]
    UnreachCall,
    /// No signed number overflows.
    NoOverflow,
    /// Divisions, shifts, conversions and indices have a meaning.
    NoUndefined,
    /// No data race.
    NoDataRace,
    /// Some thread can always go on.
    NoDeadlock,
    /// No crash, and no access to memory that is not there.
    NoCrash,
    /// Memory is used as it must be.
    Memory(Memory),
}

/// Rules for the use of memory: those that are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// Accesses are to objects that there are.
    pub deref: bool,
    /// What is freed is a block, and was not freed before.
    pub free: bool,
    /// At the end, static memory leads to each block that is left.
    pub track: bool,
    /// At the end, no block is left.
    pub cleanup: bool,
}

/// What the compiler announces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Watch {
    /// Every access that other threads may see: all schedules can be tried.
    #[default]
    Accesses,
    /// Where variables begin and end, and when they are in scope. GCC then does not announce accesses to variables by their
    /// names, so threads change only between blocks of code, and before other accesses.
    Objects,
}

impl Property {
    /// Its name on the command line, and for the runtime: names with commas between them.
    pub fn name(self) -> String {
        let name = match self {
            Property::UnreachCall => "unreach-call",
            Property::NoOverflow => "no-overflow",
            Property::NoUndefined => "no-undefined",
            Property::NoDataRace => "no-data-race",
            Property::NoDeadlock => "no-deadlock",
            Property::NoCrash => "no-crash",
            Property::Memory(memory) => return memory.name(),
        };
        name.to_owned()
    }

    /// What has to be watched to see all violations: one way after the other.
    pub fn watches(self) -> &'static [Watch] {
        match self {
            Property::NoCrash | Property::Memory(Memory { deref: true, .. }) => &[Watch::Objects, Watch::Accesses],
            _ => &[Watch::Accesses],
        }
    }

    /// Operations that are announced where they have no meaning, besides signed overflow.
    pub(crate) fn sanitizers(self, is_clang: bool) -> Option<&'static str> {
        match (self, is_clang) {
            (Property::NoOverflow, _) => Some("-fsanitize=shift-base"),
            (Property::NoUndefined, false) => {
                Some("-fsanitize=integer-divide-by-zero,shift-exponent,float-cast-overflow,bounds")
            }
            (Property::NoUndefined, true) => {
                Some("-fsanitize=integer-divide-by-zero,shift-exponent,float-cast-overflow,array-bounds")
            }
            (Property::NoCrash | Property::Memory(Memory { deref: true, .. }), false) => Some("-fsanitize=bounds"),
            (Property::NoCrash | Property::Memory(Memory { deref: true, .. }), true) => Some("-fsanitize=array-bounds"),
            _ => None,
        }
    }
}

impl Memory {
    fn name(self) -> String {
        let Memory { deref, free, track, cleanup } = self;
        let all =
            [(deref, "valid-deref"), (free, "valid-free"), (track, "valid-memtrack"), (cleanup, "valid-memcleanup")];
        let asked: Vec<&str> = all.into_iter().filter(|(asked, _)| *asked).map(|(_, name)| name).collect();
        asked.join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_names() {
        let memory = Memory { deref: true, cleanup: true, ..Memory::default() };
        assert_eq!(Property::Memory(memory).name(), "valid-deref,valid-memcleanup");
        assert_eq!(Property::Memory(memory).watches(), [Watch::Objects, Watch::Accesses]);
        assert_eq!(Property::NoDataRace.watches(), [Watch::Accesses]);
    }
}
