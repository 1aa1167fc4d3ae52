//! Random walks through the product, from the start to an accepting state: traces to test and measure on.
//!
//! A walk draws a length first. Until then it rather goes on than ends a thread; when it gets long it heads for the end
//! of every thread by the shortest way, so that it ends within its limit wherever one can. Enabledness is by locations alone: most walks are infeasible, as those of a proof are.

use crate::cfa::{Accepted, ActionId, Location, ProductState, Program, ThreadId};

/// A small deterministic generator (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit as u64) as usize
    }
}

/// Makes random walks through one program.
pub struct Walker<'a, 'p> {
    program: &'a Program<'p>,
    /// For each thread and location, the number of actions to the thread's exit.
    distances: Vec<Vec<usize>>,
}

const UNREACHABLE: usize = usize::MAX / 1024;

impl<'a, 'p> Walker<'a, 'p> {
    /// A walker for a program.
    pub fn new(program: &'a Program<'p>) -> Self {
        let mut walker = Walker { program, distances: Vec::new() };
        // A fork costs what its children cost: children stand behind their parents.
        walker.distances = program.threads.iter().map(|thread| vec![UNREACHABLE; thread.locations.len()]).collect();
        for thread in program.thread_ids().collect::<Vec<_>>().into_iter().rev() {
            walker.measure(thread);
        }
        walker
    }

    fn measure(&mut self, thread: ThreadId) {
        let exit = self.program.thread(thread).exit;
        self.distances[thread.index()][exit.index()] = 0;
        loop {
            let mut changed = false;
            for action in self.program.actions.iter().filter(|action| action.thread == thread) {
                let children: usize =
                    action.forks.iter().map(|&c| self.distance(c, self.program.thread(c).entry)).sum();
                let through = 1 + children + self.distance(thread, action.target);
                let here = &mut self.distances[thread.index()][action.source.index()];
                if through < *here {
                    *here = through;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn distance(&self, thread: ThreadId, location: Location) -> usize {
        self.distances[thread.index()][location.index()]
    }

    /// How far all running threads are from their exits.
    fn remaining(&self, state: &ProductState) -> usize {
        let running = |&thread: &ThreadId| state.location(thread) != Location::NOT_STARTED;
        self.program.thread_ids().filter(running).map(|t| self.distance(t, state.location(t))).sum()
    }

    /// A walk of at most `limit` steps that ends where the program is violated; none if this attempt missed.
    pub fn walk(&self, random: &mut Random, limit: usize) -> Option<Vec<ActionId>> {
        let mut state = self.program.initial_state();
        let mut walk = Vec::new();
        let wanted = random.below(limit.max(1));
        loop {
            match self.program.accepted(&state) {
                Some(Accepted::Violation(_, _, violation)) if !violation.is_error() => return None,
                Some(_) => return Some(walk),
                None if walk.len() >= limit => return None,
                None => {}
            }
            let enabled: Vec<ActionId> = self.program.enabled(&state).collect();
            let left = limit - walk.len() - 1;
            let fits: Vec<ActionId> = enabled
                .iter()
                .copied()
                .filter(|&a| self.remaining(&self.program.successor(&state, a)) <= left)
                .collect();
            let mut choices = if fits.is_empty() { enabled } else { fits };
            if choices.is_empty() {
                return None;
            }
            if walk.len() < wanted && random.below(4) > 0 {
                let ends = |&id: &ActionId| {
                    let action = self.program.action(id);
                    action.target == self.program.thread(action.thread).exit
                };
                let going_on: Vec<ActionId> = choices.iter().copied().filter(|id| !ends(id)).collect();
                if !going_on.is_empty() {
                    choices = going_on;
                }
            }
            let action = choices[random.below(choices.len())];
            state = self.program.successor(&state, action);
            walk.push(action);
        }
    }
}
