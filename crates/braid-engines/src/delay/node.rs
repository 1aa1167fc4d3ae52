//! A place of the search: what a scheduler and the threads of a program have come to, on symbolic values.

use super::Scheduler;
use super::scheduler::{TaskId, TaskTree};
use braid_logic::{Substitution, Term, TermPool, Var};
use braid_program::cfa::{Action, Location, Program, ThreadId};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

#[derive(Clone)]
pub(super) struct Node {
    pub tree: TaskTree,
    pub locations: Vec<Location>,
    /// What the variables hold that were assigned, over inputs.
    pub values: Substitution,
    /// The conditions on inputs.
    pub path: Vec<Term>,
    pub delays: u32,
    /// How often this path has chosen at a place.
    pub chosen: FxHashMap<(ThreadId, Location), u32>,
    /// The last step, as a link of the search.
    pub last: Option<u32>,
    pub length: u32,
    /// The step that violated the claim, while the other tasks go on to their ends.
    pub violated: Option<u32>,
}

impl Node {
    /// The first task at its entry.
    pub fn first(program: &Program<'_>, scheduler: Scheduler) -> Node {
        let mut locations = vec![Location::NOT_STARTED; program.threads.len()];
        locations[0] = program.thread(ThreadId::MAIN).entry;
        Node {
            tree: TaskTree::new(scheduler, program.threads.len()),
            locations,
            values: Substitution::default(),
            path: Vec::new(),
            delays: 0,
            chosen: FxHashMap::default(),
            last: None,
            length: 0,
            violated: None,
        }
    }

    /// Is the action there, as far as locations say: what it joins has ended, and what it forks is not running.
    pub fn is_enabled(&self, program: &Program<'_>, action: &Action) -> bool {
        let has_ended = |&child: &ThreadId| self.locations[child.index()] == program.thread(child).exit;
        let is_free = |&child: &ThreadId| self.locations[child.index()] == Location::NOT_STARTED;
        action.joins.iter().all(has_ended) && action.forks.iter().all(is_free)
    }

    /// The guard of an action, over inputs. The choices of its havocs get names of their own.
    pub fn guard(&self, pool: &TermPool, action: &Action) -> Term {
        let relation = action.relation(pool);
        let guard = pool.substitute(relation.guard, &self.values);
        // Most guards speak of no choice, and names are not for nothing.
        if !relation.choices.iter().any(|&choice| pool.mentions(guard, choice)) {
            return guard;
        }
        pool.substitute(guard, &self.choices(pool, action).into_iter().collect())
    }

    /// The names of what an action chooses here.
    fn choices(&self, pool: &TermPool, action: &Action) -> Vec<(Var, Term)> {
        let name = |&choice: &Var| (choice, pool.of_var(pool.copy_of(choice, self.length)));
        action.relation(pool).choices.iter().map(name).collect()
    }

    /// Can a thread do anything, as far as locations and values say? If not, it cannot whatever the inputs are.
    pub fn can_move(&self, program: &Program<'_>, thread: ThreadId) -> bool {
        let location = self.locations[thread.index()];
        let can_run = |action: &Action| {
            self.is_enabled(program, action) && self.guard(program.pool, action) != program.pool.bool(false)
        };
        location != Location::NOT_STARTED
            && program.thread(thread).outgoing(location).iter().any(|&action| can_run(program.action(action)))
    }

    /// Runs an action of a task under its guard: values, conditions, locations, and who was started and joined.
    pub fn execute(&mut self, program: &Program<'_>, task: TaskId, action: &Action, guard: Term) {
        let pool = program.pool;
        let choices = self.choices(pool, action);
        self.values.extend(choices.iter().copied());
        let updates = action.relation(pool).updates.iter();
        let updates: Vec<(Var, Term)> =
            updates.map(|(var, term)| (*var, pool.substitute(*term, &self.values))).collect();
        choices.iter().for_each(|(choice, _)| {
            self.values.remove(choice);
        });
        self.values.extend(updates);
        for condition in pool.conjuncts(guard) {
            if condition != pool.bool(true) && !self.path.contains(&condition) {
                self.path.push(condition);
            }
        }
        self.length += 1;
        for &child in &action.joins {
            self.locations[child.index()] = Location::NOT_STARTED;
        }
        if !action.joins.is_empty() {
            self.tree.go_on(task, &action.joins);
        }
        for &child in &action.forks {
            self.locations[child.index()] = program.thread(child).entry;
            let started = self.tree.start(task, child);
            if program.thread(child).entry == program.thread(child).exit {
                self.tree.complete(started);
            }
        }
        self.locations[action.thread.index()] = action.target;
    }

    /// Two hashes of all that decides what can happen next.
    pub fn fingerprint(&self) -> (u64, u64) {
        let mut values: Vec<(Var, Term)> = self.values.iter().map(|(&var, &term)| (var, term)).collect();
        values.sort_unstable();
        let mut path = self.path.clone();
        path.sort_unstable();
        path.dedup();
        let mut chosen: Vec<(ThreadId, Location, u32)> = self.chosen.iter().map(|(&(t, l), &n)| (t, l, n)).collect();
        chosen.sort_unstable();
        let hash = |seed: u64| {
            let mut hasher = FxHasher::default();
            seed.hash(&mut hasher);
            (&self.tree, &self.locations, &values, &path, self.delays, &chosen, self.violated.is_some())
                .hash(&mut hasher);
            hasher.finish()
        };
        (hash(0), hash(0x9e37_79b9_7f4a_7c15))
    }
}
