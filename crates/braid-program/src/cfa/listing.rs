//! The automata as a list for people and tests: threads, their locations, and what leads where.

use super::{Location, Program, Thread, Violation};
use std::fmt;

/// Shows a program as a list of its automata.
pub struct Listing<'a, 'p>(pub &'a Program<'p>);

impl fmt::Display for Listing<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for thread in &self.0.threads {
            let (entry, exit) = (thread.entry.0, thread.exit.0);
            writeln!(f, "thread {}: entry {entry}, exit {exit}", thread.name)?;
            for location in (0..thread.locations.len() as u32).map(Location) {
                for &action in thread.outgoing(location) {
                    let action = self.0.action(action);
                    let what = self.0.describe(action).replace('\n', "; ");
                    writeln!(f, "  {} -> {}{}: {what}", location.0, action.target.0, mark(thread, action.target))?;
                }
            }
        }
        Ok(())
    }
}

fn mark(thread: &Thread, location: Location) -> &'static str {
    let info = &thread.locations[location.index()];
    match info.violation {
        Some(Violation::Failed(_)) => " (error)",
        Some(Violation::InstanceBound) => " (too many instances)",
        Some(Violation::RecursionBound) => " (too deep)",
        Some(Violation::Unmodelled(_)) => " (not modelled)",
        None if info.loop_head => " (loop)",
        None => "",
    }
}
