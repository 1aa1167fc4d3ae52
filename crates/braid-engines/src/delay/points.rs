//! Where tasks can be delayed (paper 3, "at each possible preemption"): before whatever another task may notice.
//!
//! Tasks that switch only at certain places are written with a variable that says "some task is running" (the *turn*): a task takes
//! it, does its work, and gives it back. Where a task has the turn, nobody else can do anything, and a delay is a waste.

use braid_logic::{Term, TermPool, Var};
use braid_program::cfa::{Action, ActionId, Location, Program, ThreadId};
use rustc_hash::FxHashMap;

/// Who uses a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    Own(ThreadId),
    Shared,
}

/// The places of a program where a delay can make a difference.
pub struct PreemptionPoints {
    uses: FxHashMap<Var, Use>,
    /// Can another thread notice the action?
    visible: Vec<bool>,
    /// For each thread and location: does the thread have the turn there? Empty if there is no turn.
    has_turn: Vec<Vec<bool>>,
    /// The variable that is the turn.
    pub(super) turn: Option<Var>,
}

impl PreemptionPoints {
    /// Finds them.
    pub fn of(program: &Program<'_>) -> PreemptionPoints {
        let uses = uses(program);
        let is_shared = |var: &Var| uses.get(var) == Some(&Use::Shared);
        let sees = |action: &Action| {
            let relation = action.relation(program.pool);
            !action.forks.is_empty()
                || !action.joins.is_empty()
                || relation.reads.iter().chain(&relation.writes).any(is_shared)
        };
        let visible = program.actions.iter().map(sees).collect();
        let mut shared: Vec<Var> = uses.iter().filter(|(_, used)| **used == Use::Shared).map(|(var, _)| *var).collect();
        shared.sort_unstable();
        let turn = shared.iter().find_map(|&var| Some((var, turn(program, var, &is_shared)?)));
        let (turn, has_turn) = turn.map_or((None, Vec::new()), |(var, places)| (Some(var), places));
        PreemptionPoints { uses, visible, has_turn, turn }
    }

    /// Can a delay of a thread at a location, before this action, make a difference?
    pub fn before(&self, program: &Program<'_>, action: ActionId) -> bool {
        let Action { thread, source, .. } = program.action(action);
        let has_turn = self.has_turn.get(thread.index()).is_some_and(|at| at[source.index()]);
        self.visible[action.index()] && !has_turn
    }

    /// Does the formula speak only of variables that no other thread than this one uses while this one runs?
    pub fn is_private(&self, pool: &TermPool, formula: Term, thread: ThreadId) -> bool {
        pool.free_vars(formula).iter().all(|var| self.uses.get(var) == Some(&Use::Own(thread)))
    }
}

/// Who uses which variable. What is done to the variables of a thread by those who start or join it does not count: the thread is not
/// running then.
fn uses(program: &Program<'_>) -> FxHashMap<Var, Use> {
    let mut uses: FxHashMap<Var, Use> = FxHashMap::default();
    let plain = |action: &&Action| action.forks.is_empty() && action.joins.is_empty();
    for action in program.actions.iter().filter(plain) {
        let relation = action.relation(program.pool);
        for &var in relation.reads.iter().chain(&relation.writes) {
            let entry = uses.entry(var).or_insert(Use::Own(action.thread));
            if *entry != Use::Own(action.thread) {
                *entry = Use::Shared;
            }
        }
    }
    for action in program.actions.iter().filter(|action| !plain(action)) {
        let relation = action.relation(program.pool);
        for &var in relation.reads.iter().chain(&relation.writes) {
            let entry = uses.entry(var).or_insert(Use::Own(action.thread));
            match *entry {
                Use::Own(owner)
                    if owner == action.thread || action.forks.contains(&owner) || action.joins.contains(&owner) => {}
                _ => *entry = Use::Shared,
            }
        }
    }
    uses
}

/// Where each thread has the turn, if the variable is one: everything that others can notice is done by threads that have it.
fn turn(program: &Program<'_>, var: Var, is_shared: &impl Fn(&Var) -> bool) -> Option<Vec<Vec<bool>>> {
    let pool = program.pool;
    if pool.var_sort(var) != braid_logic::Sort::BOOL {
        return None;
    }
    let is_free = pool.not(pool.of_var(var));
    let mut has_turn = Vec::new();
    for (id, thread) in program.thread_ids().zip(&program.threads) {
        let mut known: Vec<Option<bool>> = vec![None; thread.locations.len()];
        // Before the first thread starts another, it has the turn whatever the variable says.
        known[thread.entry.index()] = Some(id == ThreadId::MAIN);
        let mut todo: Vec<Location> = vec![thread.entry];
        while let Some(location) = todo.pop() {
            let before = known[location.index()]?;
            for &action in thread.outgoing(location) {
                let action = program.action(action);
                let relation = action.relation(pool);
                let takes = pool.conjuncts(relation.guard).contains(&is_free);
                let touches = relation.reads.iter().chain(&relation.writes).any(|used| *used != var && is_shared(used));
                let after = match relation.updates.iter().find(|(updated, _)| *updated == var) {
                    None => before,
                    Some((_, value)) if *value == pool.bool(true) => true,
                    Some((_, value)) if *value == pool.bool(false) => false,
                    Some(_) => return None,
                };
                let first = id == ThreadId::MAIN && location == thread.entry;
                if (before && takes && !first) || (!before && !takes && (touches || after)) {
                    return None;
                }
                let entry = &mut known[action.target.index()];
                match *entry {
                    None => {
                        *entry = Some(after);
                        todo.push(action.target);
                    }
                    Some(other) if other == after => {}
                    Some(_) => return None,
                }
            }
        }
        has_turn.push(known.into_iter().map(|known| known == Some(true)).collect());
    }
    Some(has_turn)
}
