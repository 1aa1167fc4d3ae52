//! The cone of influence, on the fly (paper 5, section 4): the value of a variable matters only if a guard can come to depend on it,
//! through variables of the precision and through actions that can still happen from where the threads are.
//!
//! An assignment matters if its variable does in the state behind it (Algorithm 1, line 8): that state sees the same observers as the
//! paper's traversal from the action, since what can happen behind an action could happen before it. What was assigned
//! earlier and has had its last observer is as irrelevant as what is assigned now. So `Cone` says of a state which variables
//! of the precision do not matter there, and assignments are one use of it; forgetting known values is the other, which makes states equal that
//! differ only in what nobody will look at.

mod dataflow;
mod liveness;

use braid_logic::{BitSet, Term};
use braid_program::cfa::{ActionId, ProductState, Program};
use dataflow::DataFlow;
use liveness::Liveness;
use rustc_hash::FxHashMap;
use std::rc::Rc;
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

/// What is left of an action (Algorithm 1, lines 8 to 17).
pub struct Simplified {
    /// The variables of the precision of which nothing has to be known behind it.
    pub irrelevant: Rc<BitSet>,
    /// Has anything else to be known of the action than that it may change those?
    pub matters: bool,
}

/// The cone for one precision.
pub struct Cone {
    mode: ConeMode,
    /// The variables of the precision.
    visible: BitSet,
    dataflow: DataFlow,
    liveness: Liveness,
    /// By what the threads can still do, the variables of the precision that matter (Definition 7).
    observed: FxHashMap<Vec<u32>, Rc<BitSet>>,
    /// Per action, the variables of the precision whose assignments nobody observes in any state.
    never_observed: FxHashMap<ActionId, Rc<BitSet>>,
    nothing: Rc<BitSet>,
    /// The classes of the state that was asked about last.
    key: Vec<u32>,
    statistics: ConeStatistics,
}

impl Cone {
    /// The cone for a precision that knows these variables.
    pub fn new(program: &Program<'_>, mode: ConeMode, visible: BitSet) -> Cone {
        let start = Instant::now();
        let looked_at = if mode == ConeMode::None { BitSet::new() } else { visible.clone() };
        let mut cone = Cone {
            mode,
            dataflow: DataFlow::new(program, &looked_at),
            liveness: Liveness::new(program, &looked_at),
            visible,
            observed: FxHashMap::default(),
            never_observed: FxHashMap::default(),
            nothing: Rc::default(),
            key: Vec::new(),
            statistics: ConeStatistics::default(),
        };
        cone.statistics.time = start.elapsed();
        cone
    }

    /// What was left out so far.
    pub fn statistics(&self) -> ConeStatistics {
        self.statistics
    }

    /// What is irrelevant in a state, whoever leads there.
    pub fn irrelevant_in(&mut self, program: &Program<'_>, state: &ProductState) -> Rc<BitSet> {
        if self.mode != ConeMode::Dynamic || self.visible.is_empty() {
            return self.nothing.clone();
        }
        let start = Instant::now();
        self.dataflow.classes(program, state, &mut self.key);
        let observed = match self.observed.get(&self.key) {
            Some(observed) => observed.clone(),
            None => {
                let observed = Rc::new(self.dataflow.observed(program, &self.key));
                self.observed.insert(self.key.clone(), observed.clone());
                observed
            }
        };
        let matters = |var: &usize| observed.contains(*var) && self.liveness.may_be_read(program, state, *var);
        let irrelevant: Rc<BitSet> = Rc::new(self.visible.iter().filter(|var| !matters(var)).collect());
        self.statistics.time += start.elapsed();
        irrelevant
    }

    /// What is left of an action that leads to a state in which `there` is irrelevant. Counts what becomes of its statements.
    pub fn simplify(&mut self, program: &Program<'_>, action: ActionId, there: &Rc<BitSet>) -> Simplified {
        let relation = program.action(action).relation(program.pool);
        let has_guard = relation.guard != Term::TRUE;
        self.statistics.statements += relation.updates.len() as u64 + u64::from(has_guard);
        let irrelevant = match self.mode {
            ConeMode::None => return Simplified { irrelevant: there.clone(), matters: true },
            ConeMode::Static => self.never_observed(program, action),
            ConeMode::Dynamic => there.clone(),
        };
        let (mut skipped, mut havocked) = (0, 0);
        for var in &relation.writes {
            if !self.visible.contains(var.index()) {
                skipped += 1;
            } else if irrelevant.contains(var.index()) {
                havocked += 1;
            }
        }
        self.statistics.skipped += skipped;
        self.statistics.havocked += havocked;
        let matters = has_guard || skipped + havocked < relation.writes.len() as u64;
        Simplified { irrelevant, matters }
    }

    fn never_observed(&mut self, program: &Program<'_>, action: ActionId) -> Rc<BitSet> {
        let (dataflow, visible) = (&self.dataflow, &self.visible);
        let written = || program.action(action).relation(program.pool).writes.iter().map(|var| var.index());
        let compute = || {
            let is_lost = |var: &usize| visible.contains(*var) && !dataflow.is_ever_observed(action, *var);
            Rc::new(written().filter(is_lost).collect())
        };
        self.never_observed.entry(action).or_insert_with(compute).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_frontend::{Language, parse};
    use braid_logic::TermPool;
    use braid_program::{LowerOptions, lower};

    /// Takes the actions that write the variables, in this order, and says of the last one whether something of it is left out, and which variables are
    /// irrelevant behind it.
    fn behind(text: &str, mode: ConeMode, visible: &[&str], path: &[&str]) -> (bool, Vec<String>) {
        let program = parse("test", text, Language::Braid).unwrap_or_else(|errors| panic!("{errors}"));
        let pool = TermPool::new();
        let options = LowerOptions { fuse: false, ..LowerOptions::default() };
        let program = lower(&program, &pool, options).expect("lowers");
        let var = |name: &str| pool.find_var(name).expect("declared");
        let mut cone = Cone::new(&program, mode, visible.iter().map(|name| var(name).index()).collect());
        let mut state = program.initial_state();
        let mut last = None;
        for name in path {
            let writes = |id: &ActionId| program.action(*id).relation(&pool).writes.contains(&var(name));
            let action = loop {
                let enabled: Vec<ActionId> = program.enabled(&state).collect();
                match enabled.iter().copied().find(writes) {
                    Some(action) => break action,
                    // Something on the way, a fork for example.
                    None => state = program.successor(&state, enabled[0]),
                }
            };
            state = program.successor(&state, action);
            last = Some(action);
        }
        let there = cone.irrelevant_in(&program, &state);
        let left = cone.simplify(&program, last.expect("an action"), &there);
        let is_irrelevant = |name: &&&str| left.irrelevant.contains(var(name).index());
        let irrelevant = visible.iter().filter(is_irrelevant).map(|name| name.to_string()).collect();
        (cone.statistics().skipped + cone.statistics().havocked > 0, irrelevant)
    }

    fn check(text: &str, mode: ConeMode, visible: &[&str], path: &[&str], expected: bool) {
        assert_eq!(behind(text, mode, visible, path).0, expected, "{path:?} in {text}");
    }

    fn check_irrelevant(text: &str, visible: &[&str], path: &[&str], expected: &[&str]) {
        assert_eq!(behind(text, ConeMode::Dynamic, visible, path).1, expected, "{path:?} in {text}");
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

    #[test]
    fn what_had_its_last_reader_is_irrelevant() {
        let text = "(var x y z Int) (seq (set! x 1) (seq (set! y x) (seq (set! z 0) (assert (= y 1)))))";
        check_irrelevant(text, &["x", "y"], &["x"], &["y"]);
        check_irrelevant(text, &["x", "y"], &["x", "y"], &["x"]);
        check_irrelevant(text, &["x", "y"], &["x", "y", "z"], &["x"]);
        let again = "(var x y z Int) (loop (seq (set! x 1) (seq (set! y x) (seq (set! z 0) (assert (= y 1))))))";
        // The next reader of x comes behind a new assignment: the data-flow graph alone does not tell.
        check_irrelevant(again, &["x", "y"], &["x", "y"], &["x"]);
    }

    #[test]
    fn others_may_read_what_a_thread_is_about_to_assign() {
        let text = "(var x y z Int) (par (loop (seq (set! x 1) (seq (set! y x) (assert (= y 1))))) (assert (= x 1)))";
        check_irrelevant(text, &["x", "y"], &["x", "y"], &[]);
    }

    #[test]
    fn threads_that_start_again_read_what_was_left() {
        let once = "(par (seq (assert (= x 0)) (set! x 0)) (set! z 0))";
        check_irrelevant(&format!("(var x z Int) (seq (set! x 0) {once})"), &["x"], &["x", "x"], &["x"]);
        check_irrelevant(&format!("(var x z Int) (seq (set! x 0) (loop {once}))"), &["x"], &["x", "x"], &[]);
    }
}
