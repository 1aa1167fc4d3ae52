//! Where only one thread reads a variable, the variable's value matters only if the thread can get to a reader before it assigns the variable itself.
//! The data-flow graph does not know of the second part: a local variable of a loop's body would matter everywhere in the loop.

use braid_logic::BitSet;
use braid_program::cfa::{Action, ProductState, Program, ThreadId};
use rustc_hash::FxHashMap;

/// Live variables of each thread, for one precision.
pub(super) struct Liveness {
    /// The only thread that reads a variable of the precision.
    reader: FxHashMap<usize, ThreadId>,
    /// Per thread and location, the variables that only this thread reads and may read before it writes.
    live: Vec<Vec<BitSet>>,
}

impl Liveness {
    pub fn new(program: &Program<'_>, visible: &BitSet) -> Liveness {
        let mut readers: FxHashMap<usize, Vec<ThreadId>> = FxHashMap::default();
        for action in &program.actions {
            for var in reads(program, action, visible).iter() {
                let readers = readers.entry(var).or_default();
                if !readers.contains(&action.thread) {
                    readers.push(action.thread);
                }
            }
        }
        let single = readers.into_iter().filter(|(_, threads)| threads.len() == 1);
        let reader: FxHashMap<usize, ThreadId> = single.map(|(var, threads)| (var, threads[0])).collect();
        let restarting = program.restarting();
        let live = program.thread_ids().map(|thread| {
            let own: BitSet = visible.iter().filter(|var| reader.get(var) == Some(&thread)).collect();
            live(program, thread, &own, visible, restarting.contains(thread.index()))
        });
        Liveness { live: live.collect(), reader }
    }

    /// Can a thread read the value that the variable has in a state?
    pub fn may_be_read(&self, program: &Program<'_>, state: &ProductState, var: usize) -> bool {
        let Some(&reader) = self.reader.get(&var) else { return true };
        let (automaton, location) = (program.thread(reader), state.location(reader));
        let waits = automaton.outgoing(location).is_empty();
        let from = if waits { automaton.entry } else { location };
        self.live[reader.index()][from.index()].contains(var)
    }
}

/// The variables of the precision that an action reads, in its guard and for what it assigns to variables of the precision.
fn reads(program: &Program<'_>, action: &Action, visible: &BitSet) -> BitSet {
    let relation = action.relation(program.pool);
    let updates = relation.updates.iter().filter(|(var, _)| visible.contains(var.index())).map(|&(_, term)| term);
    let vars = updates.chain([relation.guard]).flat_map(|term| program.pool.free_vars(term)).map(|var| var.index());
    vars.filter(|&var| visible.contains(var)).collect()
}

/// Per location of a thread, which of its `own` variables it may read before it writes them. A thread that can start again goes on from its entry.
fn live(program: &Program<'_>, thread: ThreadId, own: &BitSet, visible: &BitSet, restarts: bool) -> Vec<BitSet> {
    let automaton = program.thread(thread);
    let mut live = vec![BitSet::new(); automaton.locations.len()];
    if own.is_empty() {
        return live;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for location in (0..live.len()).rev() {
            if restarts && automaton.outgoing[location].is_empty() {
                let at_entry = live[automaton.entry.index()].clone();
                changed |= live[location].extend(&at_entry);
            }
            for &action in &automaton.outgoing[location] {
                let action = program.action(action);
                let writes = &action.relation(program.pool).writes;
                let read = reads(program, action, visible);
                let is_written = |var: usize| writes.iter().any(|written| written.index() == var);
                let kept = live[action.target.index()].iter().filter(|&var| !is_written(var));
                let before: BitSet = read.iter().filter(|&var| own.contains(var)).chain(kept).collect();
                changed |= live[location].extend(&before);
            }
        }
    }
    live
}
