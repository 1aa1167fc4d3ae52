//! The part of the JSON result that `modular` fills: what the threads asked each other, and what proves them.

use crate::document::{Binding, bindings};
use braid_engines as engines;
use serde::{Deserialize, Serialize};

/// What the threads of a modular proof asked each other.
#[derive(Serialize, Deserialize, Debug, Default)]
pub struct Queries {
    pub asked: u64,
    pub remembered: u64,
    pub sequential_checks: u64,
    pub facts: u64,
    pub hierarchy: String,
    /// For each claim and thread the last program that was proven, and its proof.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<SequentialProof>,
}

/// A sequential program and what holds at its locations, as SMT-LIB terms.
#[derive(Serialize, Deserialize, Debug)]
pub struct SequentialProof {
    pub thread: String,
    /// None: the thread violates nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out_of_reach: Option<OutOfReach>,
    pub variables: Vec<Declaration>,
    pub entry: u32,
    pub errors: Vec<u32>,
    pub assertions: Option<Vec<String>>,
    pub actions: Vec<GuardedAssignment>,
}

/// The thread and those below it do not get from one condition to the other.
#[derive(Serialize, Deserialize, Debug)]
pub struct OutOfReach {
    pub alpha: String,
    pub beta: String,
}

#[derive(Serialize, Deserialize, Debug)]
pub struct Declaration {
    pub variable: String,
    pub sort: String,
}

#[derive(Serialize, Deserialize, Debug)]
pub struct GuardedAssignment {
    pub source: u32,
    pub target: u32,
    pub guard: String,
    pub updates: Vec<Binding>,
}

impl From<&engines::SequentialProof> for SequentialProof {
    fn from(proof: &engines::SequentialProof) -> SequentialProof {
        let declaration =
            |(variable, sort): &(String, String)| Declaration { variable: variable.clone(), sort: sort.clone() };
        let action = |action: &engines::SequentialAction| GuardedAssignment {
            source: action.source,
            target: action.target,
            guard: action.guard.clone(),
            updates: bindings(&action.updates),
        };
        SequentialProof {
            thread: proof.thread.clone(),
            out_of_reach: match &proof.claim {
                engines::Claim::NoViolation => None,
                engines::Claim::OutOfReach { alpha, beta } => {
                    Some(OutOfReach { alpha: alpha.clone(), beta: beta.clone() })
                }
            },
            variables: proof.variables.iter().map(declaration).collect(),
            entry: proof.entry,
            errors: proof.errors.clone(),
            assertions: proof.assertions.clone(),
            actions: proof.actions.iter().map(action).collect(),
        }
    }
}

impl Queries {
    /// For people.
    pub fn sentence(&self) -> String {
        let Queries { asked, remembered, sequential_checks, hierarchy, .. } = self;
        format!(
            "Hierarchy {hierarchy}: {sequential_checks} sequential checks, {asked} queries ({remembered} of them remembered).\n"
        )
    }
}
