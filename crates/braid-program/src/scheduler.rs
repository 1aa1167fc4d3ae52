//! The deterministic schedulers of paper 3, by name: engine `delay` runs them, and sequential programs are made for them.

use std::fmt;
use std::str::FromStr;

/// Which scheduler.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Scheduler {
    /// The depth-first scheduler.
    Df,
    /// The depth-first scheduler that exploits synchronization.
    #[default]
    Dfw,
}

impl fmt::Display for Scheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scheduler::Df => "df",
            Scheduler::Dfw => "dfw",
        })
    }
}

impl FromStr for Scheduler {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "df" => Ok(Scheduler::Df),
            "dfw" => Ok(Scheduler::Dfw),
            _ => Err(format!("there is no scheduler {text}: df and dfw are known")),
        }
    }
}
