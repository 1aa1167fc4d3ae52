//! Which interleavings of a failed check are proven next (paper 4, section 8.1).

use std::fmt;
use std::str::FromStr;

/// The words that a round takes from a refutation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Counterexamples {
    /// `naive`: the shortest interleaving that is not covered, whatever the reductions.
    Naive,
    /// `progress`: one of every reduction, all that the refutation has (Theorem 5.5).
    Progress,
    /// `rr`: one, in which the threads take turns.
    RoundRobin,
    /// `l:N`: the first ones, in which one thread follows the other.
    Left(usize),
    /// `m:N`: those in the middle.
    Middle(usize),
}

/// Why a text does not name counterexamples.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CounterexamplesError(String);

impl fmt::Display for CounterexamplesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CounterexamplesError {}

impl FromStr for Counterexamples {
    type Err = CounterexamplesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let count = |number: &str| match number.parse() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(CounterexamplesError(format!("`{number}` is not a number: write a whole number from 1"))),
        };
        match text.split_once(':') {
            None if text == "naive" => Ok(Counterexamples::Naive),
            None if text == "progress" => Ok(Counterexamples::Progress),
            None if text == "rr" => Ok(Counterexamples::RoundRobin),
            Some(("l", number)) => Ok(Counterexamples::Left(count(number)?)),
            Some(("m", number)) => Ok(Counterexamples::Middle(count(number)?)),
            _ => Err(CounterexamplesError(format!(
                "`{text}` does not name counterexamples: known are naive, progress, rr, l:N and m:N"
            ))),
        }
    }
}

impl fmt::Display for Counterexamples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Counterexamples::Naive => f.write_str("naive"),
            Counterexamples::Progress => f.write_str("progress"),
            Counterexamples::RoundRobin => f.write_str("rr"),
            Counterexamples::Left(count) => write!(f, "l:{count}"),
            Counterexamples::Middle(count) => write!(f, "m:{count}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_be_read_back() {
        for name in ["naive", "progress", "rr", "l:1", "m:10"] {
            assert_eq!(name.parse::<Counterexamples>().map(|read| read.to_string()), Ok(name.to_owned()));
        }
        for wrong in ["", "l", "l:0", "m:-1", "rr:1", "x:3"] {
            assert!(wrong.parse::<Counterexamples>().is_err(), "{wrong}");
        }
    }
}
