//! All executions of a program that a scheduler admits within a number of delays, on symbolic values.
//!
//! A node is a state of the scheduler with the locations of all threads, the values of variables as terms over inputs, and the
//! conditions under which control came there. Where only one thing can happen the node changes in place, so a long deterministic
//! execution costs no more than its steps. By Theorem 2 of paper 3 these are the executions of the sequential program Σ(P, K), without
//! its guesses: what Σ must guess is known here, because rounds are run one after the other.
//!
//! The search is bounded by how often one place of one path may have more than one way to go on; what it leaves out is said.

use super::Scheduler;
use super::points::PreemptionPoints;
use super::scheduler::{TaskId, TaskTree};
use crate::{Control, StopReason};
use braid_logic::{Answer, Solver, Substitution, Term, Var};
use braid_program::cfa::{Action, ActionId, Location, Program, Thread, ThreadId, Violation};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// How far a search goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// K: how many delays an execution may have.
    pub delays: u32,
    /// How often a path may choose between values or branches at one place.
    pub branches: u32,
    /// How many steps all paths together may have.
    pub steps: u64,
}

/// What a search has left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LeftOut {
    /// Somebody needs more instances of a thread.
    pub instances: bool,
    /// Calls nest deeper.
    pub recursion: bool,
    /// A path chooses more often at one place.
    pub branches: bool,
    /// There are more steps.
    pub steps: bool,
    /// A task could have been delayed once more.
    pub delays: bool,
    /// The solver could not tell whether a violation happens.
    pub undecided: bool,
}

/// A finished execution: all tasks have ended.
pub struct Finished<'n> {
    /// What the variables hold that were assigned, over inputs.
    pub values: &'n Substitution,
    /// The conditions on inputs.
    pub path: &'n [Term],
}

/// Why a search ended before it was complete.
pub enum Halt {
    /// These actions lead to a violation of the program's claim, under conditions that are not known to be contradictory.
    Violation(Vec<ActionId>),
    /// It was told to stop.
    Stopped(StopReason),
}

/// A step of a path, with the one before it.
#[derive(Clone, Copy)]
struct Link {
    action: ActionId,
    before: Option<u32>,
}

#[derive(Clone)]
struct Node {
    tree: TaskTree,
    locations: Vec<Location>,
    values: Substitution,
    path: Vec<Term>,
    delays: u32,
    /// How often this path has chosen at a place.
    chosen: FxHashMap<(ThreadId, Location), u32>,
    last: Option<u32>,
    length: u32,
    /// The step that violated the claim, while the other tasks go on to their ends.
    violated: Option<u32>,
}

/// What a node can do next.
#[derive(Clone)]
enum Choice {
    Act(ActionId, Term),
    Wait(Vec<ThreadId>),
    Delay,
}

/// A search through the executions of one program under one scheduler.
pub struct Exploration<'e, 'a, 'p> {
    program: &'a Program<'p>,
    points: &'a PreemptionPoints,
    solver: &'e mut Solver<'p>,
    control: &'e Control,
    limits: Limits,
    links: Vec<Link>,
    seen: FxHashSet<(u64, u64)>,
    /// What was left out so far.
    pub left_out: LeftOut,
    /// Steps of all paths.
    pub steps: u64,
    /// Places where a path had more than one way to go on.
    pub forks: u64,
}

impl<'e, 'a, 'p> Exploration<'e, 'a, 'p> {
    /// A search that has not begun.
    pub fn new(
        program: &'a Program<'p>,
        points: &'a PreemptionPoints,
        solver: &'e mut Solver<'p>,
        control: &'e Control,
        limits: Limits,
    ) -> Self {
        Exploration {
            program,
            points,
            solver,
            control,
            limits,
            links: Vec::new(),
            seen: FxHashSet::default(),
            left_out: LeftOut::default(),
            steps: 0,
            forks: 0,
        }
    }

    /// Runs to a violation or to the end, and calls `finished` for each execution in which all tasks end.
    pub fn run(&mut self, scheduler: Scheduler, mut finished: impl FnMut(Finished<'_>)) -> Result<(), Halt> {
        let program = self.program;
        let mut locations = vec![Location::NOT_STARTED; program.threads.len()];
        locations[0] = program.thread(ThreadId::MAIN).entry;
        let root = Node {
            tree: TaskTree::new(scheduler, program.threads.len()),
            locations,
            values: Substitution::default(),
            path: Vec::new(),
            delays: 0,
            chosen: FxHashMap::default(),
            last: None,
            length: 0,
            violated: None,
        };
        let mut todo = vec![root];
        while let Some(mut node) = todo.pop() {
            loop {
                self.control.poll().map_err(Halt::Stopped)?;
                let Some(task) = node.tree.selected() else {
                    if node.tree.is_final() {
                        if node.violated.is_some() && self.is_certain(&node) {
                            return Err(Halt::Violation(self.trace(node.violated)));
                        }
                        finished(Finished { values: &node.values, path: &node.path });
                    }
                    break;
                };
                let mut choices = self.choices(&mut node, task);
                let Some(choice) = choices.pop() else { break };
                // The ways that are looked at later come first.
                if !choices.is_empty() {
                    self.forks += 1;
                    if !self.is_new(&node) {
                        break;
                    }
                    for choice in choices {
                        let mut other = node.clone();
                        if self.apply(&mut other, task, choice)? {
                            todo.push(other);
                        }
                    }
                }
                if !self.apply(&mut node, task, choice)? {
                    break;
                }
                if self.steps > self.limits.steps {
                    self.left_out.steps = true;
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// What the selected task can do, the most promising last.
    fn choices(&mut self, node: &mut Node, task: TaskId) -> Vec<Choice> {
        let program = self.program;
        let id = node.tree.thread(task);
        let thread: &'a Thread = program.thread(id);
        let location = node.locations[id.index()];
        if location == thread.exit {
            return Vec::new();
        }
        let outgoing = thread.outgoing(location);
        let dfw = node.tree.scheduler() == Scheduler::Dfw;
        let passed = node.tree.passed(task).map(<[ThreadId]>::to_vec);
        let mut choices: Vec<Choice> = Vec::new();
        if outgoing.iter().any(|&action| self.points.before(program, action)) {
            if node.delays < self.limits.delays {
                choices.push(Choice::Delay);
            } else {
                self.left_out.delays = true;
            }
        }
        let mut data: Vec<Choice> = Vec::new();
        for &action in outgoing {
            let does = program.action(action);
            match &passed {
                Some(threads) if does.joins != *threads => continue,
                None if dfw && !does.joins.is_empty() => {
                    if self.may_join(node, does)
                        && !data.iter().any(|choice| matches!(choice, Choice::Wait(t) if *t == does.joins))
                    {
                        data.push(Choice::Wait(does.joins.clone()));
                    }
                    continue;
                }
                _ => {}
            }
            let joined = does.joins.iter().all(|&child| node.locations[child.index()] == program.thread(child).exit);
            let free = does.forks.iter().all(|&child| node.locations[child.index()] == Location::NOT_STARTED);
            if joined && free {
                let guard = self.guard(node, does);
                if self.is_possible(node, guard) && !self.leaves_out(does) {
                    data.push(Choice::Act(action, guard));
                }
            }
        }
        if data.len() > 1 {
            let times = node.chosen.entry((id, location)).or_insert(0);
            *times += 1;
            if *times > self.limits.branches {
                self.left_out.branches = true;
                data.clear();
            }
        }
        choices.extend(data.into_iter().rev());
        choices
    }

    /// Does the action lead to a bound of the analysis? Notes that.
    fn leaves_out(&mut self, action: &Action) -> bool {
        let target = &self.program.thread(action.thread).locations[action.target.index()];
        match target.violation {
            Some(Violation::InstanceBound) => self.left_out.instances = true,
            Some(Violation::RecursionBound) => self.left_out.recursion = true,
            Some(Violation::Assertion) | None => return false,
        }
        true
    }

    /// The guard of an action in a node. The choices of its havocs get names of their own.
    fn guard(&self, node: &Node, action: &Action) -> Term {
        let pool = self.program.pool;
        let relation = action.relation(pool);
        if relation.choices.is_empty() {
            return pool.substitute(relation.guard, &node.values);
        }
        let mut values = node.values.clone();
        values.extend(relation.choices.iter().map(|&choice| (choice, self.chosen_value(choice, node.length))));
        pool.substitute(relation.guard, &values)
    }

    fn chosen_value(&self, choice: Var, position: u32) -> Term {
        self.program.pool.of_var(self.program.pool.copy_of(choice, position))
    }

    /// Can the join be the one that control is at, as far as the task's own variables say?
    fn may_join(&self, node: &Node, action: &Action) -> bool {
        let pool = self.program.pool;
        let conjuncts = pool.conjuncts(action.relation(pool).guard);
        let own = conjuncts.into_iter().filter(|&part| self.points.is_private(pool, part, action.thread));
        own.into_iter().all(|part| pool.substitute(part, &node.values) != pool.bool(false))
    }

    /// Can the condition hold where the path is?
    fn is_possible(&mut self, node: &Node, condition: Term) -> bool {
        let pool = self.program.pool;
        if condition == pool.bool(true) || condition == pool.bool(false) {
            return condition == pool.bool(true);
        }
        if node.path.contains(&condition) {
            return true;
        }
        let mut all = node.path.clone();
        all.push(condition);
        self.solver.decide(&all) != Answer::Unsat
    }

    /// Was there no node like this one? Equal nodes have equal futures.
    fn is_new(&mut self, node: &Node) -> bool {
        let mut values: Vec<(Var, Term)> = node.values.iter().map(|(&var, &term)| (var, term)).collect();
        values.sort_unstable();
        let mut path = node.path.clone();
        path.sort_unstable();
        path.dedup();
        let mut chosen: Vec<(ThreadId, Location, u32)> = node.chosen.iter().map(|(&(t, l), &n)| (t, l, n)).collect();
        chosen.sort_unstable();
        let hash = |seed: u64| {
            let mut hasher = FxHasher::default();
            seed.hash(&mut hasher);
            (&node.tree, &node.locations, &values, &path, node.delays, &chosen, node.violated.is_some())
                .hash(&mut hasher);
            hasher.finish()
        };
        self.seen.insert((hash(0), hash(0x9e37_79b9_7f4a_7c15)))
    }

    /// Makes a choice. False if the path ends there.
    fn apply(&mut self, node: &mut Node, task: TaskId, choice: Choice) -> Result<bool, Halt> {
        match choice {
            Choice::Delay => {
                node.delays += 1;
                node.tree.delay(task);
                Ok(true)
            }
            Choice::Wait(threads) => {
                node.tree.wait(task, threads);
                Ok(true)
            }
            Choice::Act(action, guard) => self.act(node, task, action, guard),
        }
    }

    fn act(&mut self, node: &mut Node, task: TaskId, id: ActionId, guard: Term) -> Result<bool, Halt> {
        let (program, pool) = (self.program, self.program.pool);
        let action = program.action(id);
        let relation = action.relation(pool);
        let choices = relation.choices.iter().map(|&choice| (choice, self.chosen_value(choice, node.length)));
        let choices: Vec<(Var, Term)> = choices.collect();
        node.values.extend(choices.iter().copied());
        let updates: Vec<(Var, Term)> =
            relation.updates.iter().map(|(var, term)| (*var, pool.substitute(*term, &node.values))).collect();
        choices.iter().for_each(|(choice, _)| {
            node.values.remove(choice);
        });
        node.values.extend(updates);
        for condition in pool.conjuncts(guard) {
            if condition != pool.bool(true) && !node.path.contains(&condition) {
                node.path.push(condition);
            }
        }
        self.steps += 1;
        self.links.push(Link { action: id, before: node.last });
        node.last = Some(self.links.len() as u32 - 1);
        node.length += 1;
        for &child in &action.joins {
            node.locations[child.index()] = Location::NOT_STARTED;
        }
        if !action.joins.is_empty() {
            node.tree.go_on(task, &action.joins);
        }
        for &child in &action.forks {
            node.locations[child.index()] = program.thread(child).entry;
            let started = node.tree.start(task, child);
            if program.thread(child).entry == program.thread(child).exit {
                node.tree.complete(started);
            }
        }
        node.locations[action.thread.index()] = action.target;
        let thread = program.thread(action.thread);
        if thread.locations[action.target.index()].violation.is_some_and(Violation::is_error) {
            return self.violated(node, task);
        }
        if action.target == thread.exit {
            if action.thread == ThreadId::MAIN && program.completion_is_violation {
                return self.violated(node, task);
            }
            node.tree.complete(task);
        }
        Ok(true)
    }

    /// The path has come to a violation. Under DF the other tasks must be able to end, without the one that failed.
    fn violated(&mut self, node: &mut Node, task: TaskId) -> Result<bool, Halt> {
        if node.tree.scheduler() == Scheduler::Dfw {
            return if self.is_certain(node) { Err(Halt::Violation(self.trace(node.last))) } else { Ok(false) };
        }
        node.violated = node.violated.or(node.last);
        if let Some(turn) = self.points.turn {
            node.values.insert(turn, self.program.pool.bool(false));
        }
        node.tree.complete(task);
        Ok(true)
    }

    /// Is it certain that the path can happen?
    fn is_certain(&mut self, node: &Node) -> bool {
        let answer = self.solver.decide(&node.path);
        self.left_out.undecided |= answer == Answer::Unknown;
        answer == Answer::Sat
    }

    fn trace(&self, mut at: Option<u32>) -> Vec<ActionId> {
        let mut actions = Vec::new();
        while let Some(link) = at.map(|number| self.links[number as usize]) {
            actions.push(link.action);
            at = link.before;
        }
        actions.reverse();
        actions
    }
}
