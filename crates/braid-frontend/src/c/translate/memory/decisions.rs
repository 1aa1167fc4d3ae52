//! What an attempt at translation learns about the whole program, for the next one.

use crate::c::translate::{Bytes, ObjectKind, Site};
use crate::c::tree::{RecordId, Storage, Unit, Variable, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A leaf of an object.
pub type LeafKey = (ObjectKind, usize);
/// A variable of the structured program: a leaf, and which element of it where elements are apart.
pub type CellKey = (ObjectKind, usize, Option<u64>);

/// What is known of a cell that threads' handles are written to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Handle {
    /// The threads whose handles are written.
    pub threads: Vec<i64>,
    /// Is anything else written to it?
    pub others: bool,
}

/// Invariant: a translation is exact for its decisions only if it learned nothing else than what it was given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Decisions {
    /// Objects that are accessed through pointers.
    pub through_pointers: FxHashSet<ObjectKind>,
    /// Objects with arrays whose elements are not all accessed by constant indices.
    pub indexed: FxHashSet<ObjectKind>,
    /// Leaves whose contents lie in one array, because one access can mean both.
    pub together: FxHashMap<LeafKey, LeafKey>,
    /// Loops that start or join threads and cannot be unrolled, by their bodies.
    pub rolled: FxHashSet<Site>,
    /// Large arrays that are new objects each time they are declared: what they hold cannot be forgotten cell by cell.
    pub renewed: FxHashSet<ObjectKind>,
    /// Do functions that call themselves know how often, because their variables have addresses?
    pub depths: bool,
    /// Is some thread started at a place that is passed more than once?
    pub repeated_starts: bool,
    /// How many starts there are.
    pub starts: i64,
    pub handles: FxHashMap<CellKey, Handle>,
    /// Cells that are written atomically, where data races are checked; none stands for all arrays.
    pub atomic_writes: FxHashSet<Option<CellKey>>,
    /// Arrays that functions without a body write as a whole: their elements are assumed to be values of their type when they are read.
    pub outside: FxHashSet<ObjectKind>,
    /// The member that is used of each union whose members overlap.
    pub unions: FxHashMap<RecordId, u32>,
    /// What has to be bytes.
    pub bytes: Bytes,
}

impl Decisions {
    /// What is known before the first attempt: the elements of arrays that are declared only are not told apart, for who
    /// defines them may look at any. Variables that functions inside of functions name are not of one procedure.
    pub fn knowing(unit: &Unit, captured: &FxHashSet<VariableId>) -> Decisions {
        let is_open = |variable: &Variable| {
            variable.storage == Storage::Extern && matches!(variable.ty.ty, crate::c::tree::Type::Array(..))
        };
        let open = (0..).zip(&unit.variables).filter(|(_, variable)| is_open(variable));
        let indexed = open.map(|(number, _)| ObjectKind::Variable(VariableId(number))).collect();
        let through_pointers = captured.iter().map(|&id| ObjectKind::Variable(id)).collect();
        Decisions { indexed, through_pointers, ..Decisions::default() }
    }

    /// What stays known: all but what each attempt collects anew.
    pub fn for_next_attempt(&self) -> Decisions {
        Decisions { handles: FxHashMap::default(), ..self.clone() }
    }

    /// The leaf that stands for all that lie in one array with this one.
    pub fn representative(&self, leaf: LeafKey) -> LeafKey {
        let mut leaf = leaf;
        while let Some(&next) = self.together.get(&leaf) {
            leaf = next;
        }
        leaf
    }

    /// Does nothing else lie in the array of the leaf?
    pub fn is_alone(&self, leaf: LeafKey) -> bool {
        !self.together.contains_key(&leaf) && self.together.values().all(|&other| other != leaf)
    }

    pub fn unite(&mut self, a: LeafKey, b: LeafKey) {
        let (a, b) = (self.representative(a), self.representative(b));
        if a != b {
            self.together.insert(a, b);
        }
    }
}
