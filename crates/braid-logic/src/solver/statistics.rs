//! Counts of what a solver was asked and which tier answered.

use super::Answer;
use std::time::Duration;

/// How often each answer was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Answers {
    /// Satisfiable.
    pub sat: u64,
    /// Unsatisfiable.
    pub unsat: u64,
    /// Neither could be found out.
    pub unknown: u64,
}

impl Answers {
    /// All answers together.
    pub fn total(&self) -> u64 {
        self.sat + self.unsat + self.unknown
    }

    pub(super) fn count(&mut self, answer: Answer) {
        match answer {
            Answer::Sat => self.sat += 1,
            Answer::Unsat => self.unsat += 1,
            Answer::Unknown => self.unknown += 1,
        }
    }
}

/// What a solver did so far.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Statistics {
    /// Satisfiability queries, whoever answered them.
    pub queries: u64,
    /// Queries answered by looking at them: a formula was `false`, or all were `true`.
    pub trivial: u64,
    /// Queries answered before and remembered.
    pub cache_hits: u64,
    /// Answers of the native tier (its `unknown` are the queries that it handed on).
    pub native: Answers,
    /// Answers of the backend: Z3, or the external process.
    pub backend: Answers,
    /// Queries that Z3's fast configuration gave up and its default strategy was asked again.
    pub second_opinions: u64,
    /// Quantifier eliminations asked for.
    pub eliminations: u64,
    /// Interpolations asked for.
    pub interpolations: u64,
    /// Time in the native tier.
    pub native_time: Duration,
    /// Time in the backend, with translation.
    pub backend_time: Duration,
    /// Time in quantifier elimination and interpolation.
    pub other_time: Duration,
}

impl Statistics {
    /// The time spent in all tiers.
    pub fn total_time(&self) -> Duration {
        self.native_time + self.backend_time + self.other_time
    }
}
