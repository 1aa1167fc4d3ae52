//! Which threads can start more than once: a `par` in a loop uses the same instances again, and a thread that is past a
//! location may come to it a second time. Whoever leaves out what a thread can no longer do has to ask.

use super::{ActionId, Program, ThreadId};
use crate::graph::reached;
use braid_logic::BitSet;

impl Program<'_> {
    /// The threads that can be forked a second time, after they were joined: by an action that can follow one that forks them, by two
    /// threads, or by a thread that itself starts again.
    pub fn restarting(&self) -> BitSet {
        let mut forks: Vec<Vec<ActionId>> = vec![Vec::new(); self.threads.len()];
        for (number, action) in self.actions.iter().enumerate() {
            action.forks.iter().for_each(|child| forks[child.index()].push(ActionId(number as u32)));
        }
        let mut restarting = BitSet::new();
        let mut changed = true;
        while changed {
            changed = false;
            for thread in self.thread_ids().filter(|thread| !restarting.contains(thread.index())).collect::<Vec<_>>() {
                let forks = &forks[thread.index()];
                let again = forks.iter().any(|&first| {
                    let parent = self.action(first).thread;
                    restarting.contains(parent.index())
                        || forks.iter().any(|&second| {
                            self.action(second).thread != parent || self.can_follow(parent, first, second)
                        })
                });
                if again {
                    restarting.insert(thread.index());
                    changed = true;
                }
            }
        }
        restarting
    }

    /// Is there a way in the thread from behind the first action to the second?
    fn can_follow(&self, thread: ThreadId, first: ActionId, second: ActionId) -> bool {
        let automaton = self.thread(thread);
        let next = |location: usize| {
            automaton.outgoing[location].iter().map(|&action| self.action(action).target.index()).collect::<Vec<_>>()
        };
        let start = self.action(first).target.index();
        reached(automaton.locations.len(), [start], next)[self.action(second).source.index()]
    }
}
