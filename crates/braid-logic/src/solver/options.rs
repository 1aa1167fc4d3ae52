//! How a solver is set up: its tiers, its budget, and what can go wrong with that.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// How a solver is set up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverOptions {
    /// Ask the native tier before the backend.
    pub native: bool,
    /// Remember the answers to one-shot queries.
    pub memory: bool,
    /// What one query may cost.
    pub budget: Budget,
    /// Write each query into this directory, as a numbered SMT-LIB file.
    pub dump: Option<PathBuf>,
    /// Who answers what the native tier does not.
    pub backend: Backend,
}

impl Default for SolverOptions {
    fn default() -> Self {
        SolverOptions { native: true, memory: true, budget: Budget::default(), dump: None, backend: Backend::Z3 }
    }
}

impl SolverOptions {
    /// An external solver decides everything, but for what a look at the formulas tells.
    pub fn alone(command: impl Into<String>) -> SolverOptions {
        SolverOptions { native: false, backend: Backend::Process(command.into()), ..SolverOptions::default() }
    }
}

/// What one query may cost before the answer is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Z3's resource units; 0 means no limit. Deterministic, but Z3 does not count everywhere.
    pub rlimit: u32,
    /// The outer limit, which also holds for external processes, quantifier elimination and interpolation.
    pub wall_clock: Duration,
    /// How much of it quantifier elimination and interpolation may take: what is not found soon is rarely found at all.
    pub search: Duration,
    /// The largest result of quantifier elimination or interpolation that is of use, in nodes.
    pub size: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { rlimit: 20_000_000, wall_clock: Duration::from_secs(10), search: Duration::from_secs(5), size: 2_000 }
    }
}

/// Who answers what the native tier does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Backend {
    /// The linked Z3.
    Z3,
    /// An external solver that reads SMT-LIB from its standard input: its command line. The linked Z3 is not asked then.
    Process(String),
}

/// Why a solver could not be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolverError {
    /// The external solver cannot be run.
    Process {
        /// Its command line.
        command: String,
        /// What happened.
        reason: String,
    },
    /// The directory for the queries cannot be made.
    Dump {
        /// The directory.
        directory: PathBuf,
        /// What happened.
        reason: String,
    },
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverError::Process { command, reason } => write!(
                f,
                "cannot talk to the solver `{command}`: {reason} \
                 (is it installed, and does it read SMT-LIB from its standard input, as `z3 -in` does?)"
            ),
            SolverError::Dump { directory, reason } => write!(
                f,
                "cannot write queries into {}: {reason} (name a directory that can be made or written to)",
                directory.display()
            ),
        }
    }
}

impl std::error::Error for SolverError {}
