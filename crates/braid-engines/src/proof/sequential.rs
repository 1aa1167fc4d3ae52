//! A sequential program with its proof, as text. An action is a guarded parallel assignment, so each triple of
//! a proof is one query; what is assumed of the environment is part of the guards of `env_move`.

/// A sequential program that reaches no error location, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SequentialProof {
    /// The thread whose program it is.
    pub thread: String,
    /// What the program shows.
    pub claim: Claim,
    /// All variables and choices, with their sorts.
    pub variables: Vec<(String, String)>,
    /// The number of the first location.
    pub entry: u32,
    /// The error locations.
    pub errors: Vec<u32>,
    /// For each location what holds there; none if the proof was found by an engine that does not say.
    pub assertions: Option<Vec<String>>,
    /// Its actions.
    pub actions: Vec<SequentialAction>,
}

/// What a sequential program shows of its thread and the threads below it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The thread violates nothing.
    NoViolation,
    /// They do not get from one condition to the other.
    OutOfReach {
        /// Where they start.
        alpha: String,
        /// Where they do not get.
        beta: String,
    },
}

/// An action as a guarded parallel assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SequentialAction {
    /// Where it starts.
    pub source: u32,
    /// Where it ends.
    pub target: u32,
    /// When it can happen, over variables and choices.
    pub guard: String,
    /// New values, over old values and choices; what is not named stays.
    pub updates: Vec<(String, String)>,
}
