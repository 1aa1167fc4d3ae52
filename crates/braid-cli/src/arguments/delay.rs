//! The options of engine `delay`, and of what shows its sequential programs.

use braid_engines::delay::{Delay, Scheduler};
use braid_engines::gem::Gem;
use clap::Args;

/// Which schedules are looked at.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Engine delay")]
pub struct Delays {
    /// Which tasks run first without delays: df (depth first), or dfw (depth first, but a task that waits lets others run)
    #[arg(long, value_name = "df|dfw", default_value_t = Scheduler::Dfw)]
    pub scheduler: Scheduler,
    /// How often a schedule may put a task off. Each one more finds more bugs, and multiplies the schedules
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub delays: u32,
}

impl Delays {
    /// The engine with these options, and those that it shares with `gem`.
    pub fn delay(&self, shared: &Gem) -> Delay {
        Delay { scheduler: self.scheduler, delays: 0..=self.delays, solver: shared.solver.clone() }
    }
}
