//! The precision: what an abstract state may speak of (paper 5, section 3.2). Refinement makes it finer, never coarser.
//!
//! Explicit values have a set of variables, which is [`Precision`]. Predicates have a set of literals, which is the pool of assertions
//! of a Floyd/Hoare automaton (`predicates`).

use braid_logic::Var;

/// What is known before the first refinement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InitialPrecision {
    /// Nothing.
    Empty,
    /// What the branches of the program ask for.
    Branches,
}

/// The variables whose values an abstract state may know, each at a place of its own.
#[derive(Default)]
pub(super) struct Precision {
    /// Sorted.
    vars: Vec<Var>,
}

impl Precision {
    pub fn len(&self) -> usize {
        self.vars.len()
    }

    /// The variables in the order of their places.
    pub fn iter(&self) -> impl Iterator<Item = Var> {
        self.vars.iter().copied()
    }

    /// The variable at a place.
    pub fn at(&self, place: usize) -> Var {
        self.vars[place]
    }

    /// The place of a variable, if it is in the precision.
    pub fn place(&self, var: Var) -> Option<usize> {
        self.vars.binary_search(&var).ok()
    }
}

impl FromIterator<Var> for Precision {
    fn from_iter<I: IntoIterator<Item = Var>>(vars: I) -> Precision {
        let mut vars: Vec<Var> = vars.into_iter().collect();
        vars.sort_unstable();
        vars.dedup();
        Precision { vars }
    }
}
