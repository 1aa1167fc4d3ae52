//! Who may be live while the first thread is at a location: what it has started and not yet joined, and what those may start.

use braid_program::cfa::{Location, Program, ThreadId};
use std::collections::BTreeSet;

/// The threads that may be live, by location of the first thread.
pub struct Live(Vec<BTreeSet<ThreadId>>);

impl Live {
    pub fn of(program: &Program<'_>) -> Live {
        let main = program.thread(ThreadId::MAIN);
        let mut live = vec![BTreeSet::new(); main.locations.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for action in program.actions.iter().filter(|action| action.thread == ThreadId::MAIN) {
                let mut after: BTreeSet<ThreadId> = live[action.source.index()].clone();
                action.joins.iter().for_each(|child| _ = after.remove(child));
                action.forks.iter().for_each(|&child| after.extend(family(program, child)));
                let target: &mut BTreeSet<ThreadId> = &mut live[action.target.index()];
                let before = target.len();
                target.extend(after);
                changed |= target.len() > before;
            }
        }
        Live(live)
    }

    /// May a thread be live while the first one is there?
    pub fn beside_main(&self, location: Location, thread: ThreadId) -> bool {
        self.0[location.index()].contains(&thread)
    }

    /// Is the first thread alone at a location?
    pub fn is_alone(&self, location: Location) -> bool {
        self.0[location.index()].is_empty()
    }
}

/// A thread, and all that it and those may start.
fn family(program: &Program<'_>, thread: ThreadId) -> BTreeSet<ThreadId> {
    let mut family = BTreeSet::from([thread]);
    // Children stand behind their parents.
    for child in program.thread_ids() {
        if program.thread(child).parent().is_some_and(|parent| family.contains(&parent)) {
            family.insert(child);
        }
    }
    family
}
