//! The data-flow graph (paper 5, Definition 5) and what is observed along its enabled edges (Definition 7).
//!
//! The nodes are the single assignments and guards of actions, so that of a fused action the parts that do not matter are left out. Edges are not
//! stored: from an assignment to `v` they lead to all readers of `v`, and are enabled if the reader can be reached in the automaton of its thread,
//! which is one look into a bit set. Locations from which a thread can take the same actions, of those that are in the graph or fork, are one class
//! (all of a strongly connected component, for example), and what is observed depends on classes only.
//! A thread counts from where it is, and from its entry if it can still be forked.

use braid_logic::{BitSet, Term};
use braid_program::cfa::{ActionId, Location, ProductState, Program, ThreadId};
use rustc_hash::FxHashMap;

/// A node of the data-flow graph.
struct Node {
    action: ActionId,
    /// The variable that is assigned; none for a guard, which is a real observer.
    writes: Option<usize>,
    /// The variables of the precision that are read.
    reads: Vec<usize>,
}

/// The graph for one precision.
pub(super) struct DataFlow {
    nodes: Vec<Node>,
    /// Per variable of the precision, the nodes that assign it.
    writers: FxHashMap<usize, Vec<usize>>,
    /// Per thread and location, its class.
    class: Vec<Vec<u32>>,
    /// Per thread and class, the actions of the graph, and those that fork, that the thread may still take.
    reach: Vec<Vec<BitSet>>,
    /// Which actions fork which threads.
    forks: Vec<(ActionId, ThreadId)>,
    /// The threads that can start more than once.
    restarting: BitSet,
    /// The assignments that somebody observes in some state, by action and variable.
    ever_observed: Vec<(ActionId, usize)>,
}

impl DataFlow {
    pub fn new(program: &Program<'_>, visible: &BitSet) -> DataFlow {
        let mut graph = DataFlow {
            nodes: Vec::new(),
            writers: FxHashMap::default(),
            class: Vec::new(),
            reach: Vec::new(),
            forks: Vec::new(),
            restarting: program.restarting(),
            ever_observed: Vec::new(),
        };
        if visible.is_empty() {
            return graph;
        }
        for (number, action) in program.actions.iter().enumerate() {
            let id = ActionId(number as u32);
            let relation = action.relation(program.pool);
            graph.add(program, visible, id, None, relation.guard);
            for &(var, term) in relation.updates.iter().filter(|(var, _)| visible.contains(var.index())) {
                graph.add(program, visible, id, Some(var.index()), term);
            }
            graph.forks.extend(action.forks.iter().map(|&child| (id, child)));
        }
        let mut looked_at: BitSet = graph.nodes.iter().map(|node| node.action.index()).collect();
        graph.forks.iter().for_each(|(fork, _)| looked_at.insert(fork.index()));
        for thread in program.thread_ids() {
            let (class, reach) = classes(reach(program, thread, &looked_at));
            graph.class.push(class);
            graph.reach.push(reach);
        }
        let mut ever = Vec::new();
        graph.backwards(program, |_| true, |node| ever.extend(node.writes.map(|var| (node.action, var))));
        graph.ever_observed = ever;
        graph.ever_observed.sort_unstable();
        graph
    }

    fn add(&mut self, program: &Program<'_>, visible: &BitSet, action: ActionId, writes: Option<usize>, read: Term) {
        let reads = program.pool.free_vars(read).iter().map(|var| var.index()).filter(|&var| visible.contains(var));
        let node = Node { action, writes, reads: reads.collect() };
        if let Some(var) = writes {
            self.writers.entry(var).or_default().push(self.nodes.len());
        }
        if writes.is_some() || !node.reads.is_empty() {
            self.nodes.push(node);
        }
    }

    /// The class of each thread's location: the same variables matter in states where these are equal.
    pub fn classes(&self, program: &Program<'_>, state: &ProductState, classes: &mut Vec<u32>) {
        classes.clear();
        let threads = self.class.iter().zip(program.thread_ids());
        classes.extend(threads.map(|(class, thread)| class[state.location(thread).index()]));
    }

    /// Does anybody observe the assignment, in any state?
    pub fn is_ever_observed(&self, action: ActionId, var: usize) -> bool {
        self.ever_observed.binary_search(&(action, var)).is_ok()
    }

    /// The variables whose values a guard can come to depend on, by actions that can still happen in states of these classes.
    pub fn observed(&self, program: &Program<'_>, classes: &[u32]) -> BitSet {
        let enabled = self.enabled(program, classes);
        let mut observed = BitSet::new();
        let is_enabled = |action: ActionId| enabled.contains(action.index());
        self.backwards(program, is_enabled, |node| node.reads.iter().for_each(|&var| observed.insert(var)));
        observed
    }

    /// The actions of the graph, and those that fork, that can still happen: from where threads are, and from the entries of those that can be forked.
    fn enabled(&self, program: &Program<'_>, classes: &[u32]) -> BitSet {
        let mut enabled = BitSet::new();
        for (reach, &class) in self.reach.iter().zip(classes) {
            enabled.extend(&reach[class as usize]);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &(fork, child) in &self.forks {
                if enabled.contains(fork.index()) {
                    changed |= enabled.extend(self.reachable(child, program.thread(child).entry));
                }
            }
        }
        enabled
    }

    /// Visits the guards of enabled actions, and all enabled assignments that these can come to depend on.
    fn backwards(&self, program: &Program<'_>, enabled: impl Fn(ActionId) -> bool, mut visit: impl FnMut(&Node)) {
        let is_guard = |&number: &usize| self.nodes[number].writes.is_none() && enabled(self.nodes[number].action);
        let mut open: Vec<usize> = (0..self.nodes.len()).filter(is_guard).collect();
        let mut seen = BitSet::new();
        while let Some(number) = open.pop() {
            let node = &self.nodes[number];
            visit(node);
            for writer in node.reads.iter().flat_map(|var| self.writers.get(var)).flatten().copied() {
                let writing = self.nodes[writer].action;
                if !seen.contains(writer) && self.may_follow(program, writing, node.action) && enabled(writing) {
                    seen.insert(writer);
                    open.push(writer);
                }
            }
        }
    }

    /// Can the second action come after the first?
    fn may_follow(&self, program: &Program<'_>, first: ActionId, second: ActionId) -> bool {
        let (before, behind) = (program.action(first), program.action(second));
        before.thread != behind.thread
            || self.restarting.contains(before.thread.index())
            || self.reachable(before.thread, before.target).contains(second.index())
    }

    fn reachable(&self, thread: ThreadId, from: Location) -> &BitSet {
        &self.reach[thread.index()][self.class[thread.index()][from.index()] as usize]
    }
}

/// Numbers the different sets.
fn classes(sets: Vec<BitSet>) -> (Vec<u32>, Vec<BitSet>) {
    let mut distinct: Vec<BitSet> = Vec::new();
    let mut number: FxHashMap<BitSet, u32> = FxHashMap::default();
    let classes = sets.into_iter().map(|set| {
        *number.entry(set).or_insert_with_key(|set| {
            distinct.push(set.clone());
            distinct.len() as u32 - 1
        })
    });
    (classes.collect(), distinct)
}

/// Per location of a thread, the actions out of a set that it may take from there on.
fn reach(program: &Program<'_>, thread: ThreadId, looked_at: &BitSet) -> Vec<BitSet> {
    let automaton = program.thread(thread);
    let mut reach = vec![BitSet::new(); automaton.locations.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for location in (0..reach.len()).rev() {
            for &action in &automaton.outgoing[location] {
                let behind = reach[program.action(action).target.index()].clone();
                changed |= reach[location].extend(&behind);
                if looked_at.contains(action.index()) && !reach[location].contains(action.index()) {
                    reach[location].insert(action.index());
                    changed = true;
                }
            }
        }
    }
    reach
}
