//! The options of engine `explicit`.

use crate::units::parse_inputs;
use braid_engines::explicit::{Explicit, Visits};
use clap::Args;
use std::ops::RangeInclusive;

/// How `explicit` visits states.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Engine explicit")]
pub struct Visiting {
    /// Which states are visited first [default: the nearest; beside other engines those after few switches]
    #[arg(long, value_enum)]
    pub visits: Option<VisitsName>,
    /// At most so many states are visited
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub states: u64,
    /// Values to try for inputs that have infinitely many, both ends included. Others are not looked at, so this proves nothing
    #[arg(long, value_name = "LO..HI", value_parser = parse_inputs, allow_hyphen_values = true)]
    pub inputs: Option<RangeInclusive<i64>>,
}

impl Visiting {
    /// The engine with these options.
    pub fn explicit(&self) -> Explicit {
        Explicit { states: self.states, inputs: self.inputs.clone(), ..Explicit::default() }
    }
}

names!(VisitsName for Visits {
    /// Those after the fewest steps: finds the shortest executions
    Breadth => Visits::Breadth,
    /// Those after few switches between threads: finds deep bugs sooner
    Switches => Visits::Switches,
});
