//! The options of engine `delay`, and of what shows its sequential programs.

use braid_engines::delay::{Delay, Scheduler};
use braid_engines::gem::Gem;
use clap::Args;

/// Which schedules are looked at.
#[derive(Args, Clone, Debug)]
pub struct Delays {
    /// Which tasks run before others without delays: df (depth first), or dfw (depth first, tasks that wait are left out)
    #[arg(long, value_name = "df|dfw", default_value_t = Scheduler::Dfw)]
    pub scheduler: Scheduler,
    /// How often delay may put a task off
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub delays: u32,
}

impl Delays {
    /// The engine with these options, and those that it shares with `gem`.
    pub fn delay(&self, shared: &Gem) -> Delay {
        Delay { scheduler: self.scheduler, delays: 0..=self.delays, solver: shared.solver.clone() }
    }
}
