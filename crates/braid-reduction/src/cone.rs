//! The cone of influence, on the fly (paper 5, section 4): an assignment matters only if a guard can come to depend on it, through
//! variables of the precision and through actions that can still happen from where the threads are.
//!
//! The nodes of the data-flow graph (Definition 5) are the single assignments and guards of actions, so that of a fused action the parts
//! that do not matter are left out. Edges are not stored: from an assignment to `v` they lead to all readers of `v`, and are enabled
//! (Definition 7) if the reader can be reached in the automaton of its thread, which is one look into a bit set.
//! A thread that does not run counts from its entry, if it can still be forked.

use braid_logic::{BitSet, Term, Var};
use braid_program::cfa::{ActionId, ProductState, Program, ThreadId};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// When an assignment is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConeMode {
    /// Never: everything matters.
    None,
    /// Once for all states.
    Static,
    /// In each state.
    Dynamic,
}

/// What the cone left out, and what it cost (paper 5, Table 1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ConeStatistics {
    /// Assignments and guards of the actions that were taken.
    pub statements: u64,
    /// Assignments to variables that the precision does not see, left out.
    pub skipped: u64,
    /// Assignments to variables of the precision, replaced by a havoc.
    pub havocked: u64,
    /// Time spent on finding that out.
    pub time: Duration,
}

/// A node of the data-flow graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Node {
    /// A real observer.
    Guard(ActionId),
    Assignment(ActionId, Var),
}

/// The cone for one precision.
pub struct Cone {
    mode: ConeMode,
    /// The variables of the precision.
    visible: BitSet,
    /// Per variable of the precision, the nodes that read it.
    readers: FxHashMap<Var, Vec<Node>>,
    /// Per thread and location, the actions that the thread may still take.
    reach: Vec<Vec<BitSet>>,
    /// Per thread, the actions that fork it.
    forks: Vec<Vec<ActionId>>,
    /// The threads that can start more than once.
    restarting: BitSet,
    /// The state that was asked about last, with the threads that run there or may run later.
    last: Option<(ProductState, Vec<bool>)>,
    /// Assignments by whether they matter: in the last state, or in all of them.
    matters: FxHashMap<(ActionId, Var), bool>,
    statistics: ConeStatistics,
}

impl Cone {
    /// The cone for a precision that knows these variables.
    pub fn new(program: &Program<'_>, mode: ConeMode, visible: BitSet) -> Cone {
        let start = Instant::now();
        let mut cone = Cone {
            mode,
            visible,
            readers: FxHashMap::default(),
            reach: Vec::new(),
            forks: vec![Vec::new(); program.threads.len()],
            restarting: BitSet::new(),
            last: None,
            matters: FxHashMap::default(),
            statistics: ConeStatistics::default(),
        };
        if mode != ConeMode::None {
            for (number, action) in program.actions.iter().enumerate() {
                let id = ActionId(number as u32);
                let relation = action.relation(program.pool);
                let mut read = |term: Term, node: Node| {
                    for &var in program.pool.free_vars(term).iter().filter(|var| cone.visible.contains(var.index())) {
                        cone.readers.entry(var).or_default().push(node);
                    }
                };
                read(relation.guard, Node::Guard(id));
                for &(var, term) in &relation.updates {
                    read(term, Node::Assignment(id, var));
                }
                action.forks.iter().for_each(|child| cone.forks[child.index()].push(id));
            }
            cone.reach = program.thread_ids().map(|thread| reach(program, thread)).collect();
            cone.restarting = program.restarting();
        }
        cone.statistics.time = start.elapsed();
        cone
    }

    /// What was left out so far.
    pub fn statistics(&self) -> ConeStatistics {
        self.statistics
    }

    /// The variables whose assignments by an action do not matter when it is taken in a state (Algorithm 1, line 8).
    pub fn left_out(&mut self, program: &Program<'_>, state: &ProductState, action: ActionId) -> Vec<Var> {
        let relation = program.action(action).relation(program.pool);
        self.statistics.statements += relation.updates.len() as u64 + u64::from(relation.guard != Term::TRUE);
        if self.mode == ConeMode::None {
            return Vec::new();
        }
        let start = Instant::now();
        if self.mode == ConeMode::Dynamic && self.last.as_ref().is_none_or(|(last, _)| last != state) {
            self.matters.clear();
            let running = self.running(program, state);
            self.last = Some((state.clone(), running));
        }
        let mut left_out = Vec::new();
        for &(var, _) in &relation.updates {
            let known = self.matters.get(&(action, var)).copied();
            let matters = known.unwrap_or_else(|| self.is_observed(program, action, var));
            self.matters.insert((action, var), matters);
            if !matters {
                left_out.push(var);
                let counter = match self.visible.contains(var.index()) {
                    true => &mut self.statistics.havocked,
                    false => &mut self.statistics.skipped,
                };
                *counter += 1;
            }
        }
        self.statistics.time += start.elapsed();
        left_out
    }

    /// The threads that run in a state or may be forked later.
    fn running(&self, program: &Program<'_>, state: &ProductState) -> Vec<bool> {
        let is_active = |thread: ThreadId| !program.thread(thread).outgoing(state.location(thread)).is_empty();
        let mut running: Vec<bool> = program.thread_ids().map(is_active).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for child in program.thread_ids() {
                let can_be_forked = |&fork: &ActionId| {
                    let parent = program.action(fork).thread;
                    running[parent.index()] && self.can_take(program, state, parent, fork)
                };
                if !running[child.index()] && self.forks[child.index()].iter().any(can_be_forked) {
                    running[child.index()] = true;
                    changed = true;
                }
            }
        }
        running
    }

    /// Can the thread, if it runs, still take the action?
    fn can_take(&self, program: &Program<'_>, state: &ProductState, thread: ThreadId, action: ActionId) -> bool {
        let (automaton, location) = (program.thread(thread), state.location(thread));
        let starts = self.restarting.contains(thread.index()) || automaton.outgoing(location).is_empty();
        let from = if starts { automaton.entry } else { location };
        self.reach[thread.index()][from.index()].contains(action.index())
    }

    /// Is there a path of enabled edges from an assignment to a guard?
    fn is_observed(&self, program: &Program<'_>, action: ActionId, var: Var) -> bool {
        let mut seen = vec![(action, var)];
        let mut next = 0;
        while next < seen.len() {
            let (writer, written) = seen[next];
            next += 1;
            let writing = program.action(writer);
            for &reader in self.readers.get(&written).into_iter().flatten() {
                let (Node::Guard(by) | Node::Assignment(by, _)) = reader;
                let thread = program.action(by).thread;
                let enabled = match &self.last {
                    Some((state, running)) if self.mode == ConeMode::Dynamic => {
                        running[thread.index()] && self.can_take(program, state, thread, by)
                    }
                    _ => true,
                };
                let follows = thread != writing.thread || self.may_follow(program, writer, by);
                if !enabled || !follows {
                    continue;
                }
                match reader {
                    Node::Guard(_) => return true,
                    Node::Assignment(by, into) if !seen.contains(&(by, into)) => seen.push((by, into)),
                    Node::Assignment(..) => {}
                }
            }
        }
        false
    }

    /// Can the second action of a thread come after the first?
    fn may_follow(&self, program: &Program<'_>, first: ActionId, second: ActionId) -> bool {
        self.restarting.contains(program.action(first).thread.index()) || self.comes_behind(program, first, second)
    }

    /// Is there a way in the thread from behind the first action to the second?
    fn comes_behind(&self, program: &Program<'_>, first: ActionId, second: ActionId) -> bool {
        let action = program.action(first);
        self.reach[action.thread.index()][action.target.index()].contains(second.index())
    }
}

/// Per location of a thread, the actions that it may take from there on.
fn reach(program: &Program<'_>, thread: ThreadId) -> Vec<BitSet> {
    let automaton = program.thread(thread);
    let mut reach = vec![BitSet::new(); automaton.locations.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for location in (0..reach.len()).rev() {
            for &action in &automaton.outgoing[location] {
                let behind = reach[program.action(action).target.index()].clone();
                for number in behind.iter().chain([action.index()]) {
                    if !reach[location].contains(number) {
                        reach[location].insert(number);
                        changed = true;
                    }
                }
            }
        }
    }
    reach
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_frontend::{Language, parse};
    use braid_logic::TermPool;
    use braid_program::{LowerOptions, lower};

    /// Takes the actions that write the variables, in this order, and says for the last one whether it is left out.
    fn check(text: &str, mode: ConeMode, visible: &[&str], path: &[&str], expected: bool) {
        let program = parse("test", text, Language::Braid).unwrap_or_else(|errors| panic!("{errors}"));
        let pool = TermPool::new();
        let options = LowerOptions { fuse: false, ..LowerOptions::default() };
        let program = lower(&program, &pool, options).expect("lowers");
        let var = |name: &str| pool.find_var(name).expect("declared");
        let visible = visible.iter().map(|name| var(name).index()).collect();
        let mut cone = Cone::new(&program, mode, visible);
        let mut state = program.initial_state();
        for (number, name) in path.iter().enumerate() {
            let writes = |id: &ActionId| program.action(*id).relation(&pool).writes.contains(&var(name));
            let action = loop {
                let enabled: Vec<ActionId> = program.enabled(&state).collect();
                match enabled.iter().copied().find(writes) {
                    Some(action) => break action,
                    // Something on the way, a fork for example.
                    None => state = program.successor(&state, enabled[0]),
                }
            };
            if number + 1 == path.len() {
                assert_eq!(!cone.left_out(&program, &state, action).is_empty(), expected, "{path:?} in {text}");
            }
            state = program.successor(&state, action);
        }
    }

    /// Figure 1a of the paper: who has read `x` does not care what becomes of it.
    const FIGURE_1A: &str = "(var x y z Int)
        (par (seq (set! x 1) (set! x 0)) (seq (set! y x) (seq (assume (= y 1)) (assert (= z 0)))))";

    #[test]
    fn what_was_read_before_no_longer_matters() {
        check(FIGURE_1A, ConeMode::Dynamic, &["x", "y"], &["x"], false);
        check(FIGURE_1A, ConeMode::Dynamic, &["x", "y"], &["y", "x"], true);
        check(FIGURE_1A, ConeMode::Static, &["x", "y"], &["y", "x"], false);
    }

    #[test]
    fn what_the_precision_does_not_see_does_not_matter() {
        check(FIGURE_1A, ConeMode::Dynamic, &["y"], &["x"], true);
        check(FIGURE_1A, ConeMode::Static, &["y"], &["x"], true);
        check(FIGURE_1A, ConeMode::None, &["y"], &["x"], false);
        check(FIGURE_1A, ConeMode::Static, &["y"], &["y"], false);
    }

    #[test]
    fn threads_that_do_not_run_yet_may_read_later() {
        let text = "(var x Int) (seq (set! x 1) (par (assert (= x 1)) (assume true)))";
        check(text, ConeMode::Dynamic, &["x"], &["x"], false);
        let once = "(seq (par (assert (= x 1)) (assume true)) (seq (set! y 0) (set! x 2)))";
        check(&format!("(var x y Int) {once}"), ConeMode::Dynamic, &["x"], &["y", "x"], true);
        check(&format!("(var x y Int) (loop {once})"), ConeMode::Dynamic, &["x"], &["y", "x"], false);
    }
}
