//! The part of the JSON result that `parametric` fills: the facts about one thread and about two that its proof consists of.

use braid_engines::{Argument, Proof, ThreadModular};
use braid_program::source::Sources;
use serde::{Deserialize, Serialize};

/// A proof by facts about one thread and about two.
#[derive(Serialize, Deserialize, Debug)]
pub struct Facts {
    /// The threads that stand for any number of like ones.
    pub any_number_of: Vec<String>,
    pub invariants: Vec<FactsAt>,
}

/// What holds of any thread at a place, or of any two at two places.
#[derive(Serialize, Deserialize, Debug)]
pub struct FactsAt {
    /// One place or two.
    pub places: Vec<FactPlace>,
    /// What holds there, as SMT-LIB terms. `false`: nobody is ever there, or no two are.
    pub facts: Vec<String>,
}

/// Where a thread is.
#[derive(Serialize, Deserialize, Debug)]
pub struct FactPlace {
    pub thread: String,
    /// The location's number in the thread as it was lowered with templates.
    pub location: u32,
    pub file: String,
    pub line: usize,
}

impl Facts {
    /// The facts of a proof, if it is such a one.
    pub fn of(proof: &Proof, sources: &Sources) -> Option<Facts> {
        let Argument::ThreadModular(ThreadModular { many, names, invariants, .. }) = &proof.argument else {
            return None;
        };
        let invariants = invariants.iter().map(|invariant| {
            let places = invariant.places.iter().zip(&invariant.spans).map(|(&(thread, location), &span)| FactPlace {
                thread: names.iter().find(|(id, _)| *id == thread).map(|(_, name)| name.clone()).unwrap_or_default(),
                location: location.0,
                file: sources.file(span.file).name.clone(),
                line: sources.position(span).line,
            });
            FactsAt { places: places.collect(), facts: invariant.formulas.clone() }
        });
        Some(Facts { any_number_of: many.clone(), invariants: invariants.collect() })
    }
}
