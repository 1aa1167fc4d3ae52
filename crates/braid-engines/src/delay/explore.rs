//! All executions of a program that a scheduler admits within a number of delays, on symbolic values.
//!
//! A node is a state of the scheduler with the locations of all threads, the values of variables as terms over inputs, and the
//! conditions under which control came there. Where only one thing can happen the node changes in place, so a long deterministic
//! execution costs no more than its steps. By Theorem 2 of paper 3 these are the executions of the sequential program Σ(P, K), without
//! its guesses: what Σ must guess is known here, because rounds are run one after the other.
//!
//! The search is bounded by how often one place of one path may have more than one way to go on; what it leaves out is said.

use super::Scheduler;
use super::node::Node;
use super::points::PreemptionPoints;
use super::scheduler::TaskId;
use crate::{Control, StopReason};
use braid_logic::{Answer, Solver, Substitution, Term};
use braid_program::cfa::{Action, ActionId, Program, Thread, ThreadId, Violation};
use braid_program::source::Span;
use rustc_hash::FxHashSet;

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
    /// Something happens that is not modelled: which reason, and where.
    pub unmodelled: Option<(u32, Span)>,
    /// A path chooses more often at one place.
    pub branches: bool,
    /// There are more steps.
    pub steps: bool,
    /// A task could have been delayed once more.
    pub delays: bool,
    /// The solver could not tell whether a violation happens.
    pub undecided: bool,
    /// Two threads could have moved, or one that the scheduler did not let.
    pub schedules: bool,
    /// A path came to where another had been, as far as hashes tell.
    pub met: bool,
    /// An assertion failed, and under DF that counts only if all others end.
    pub failures: bool,
}

impl LeftOut {
    /// Was every execution of the program looked at, under whatever scheduler?
    ///
    /// In every node at most one thread could move, and no path ended because the scheduler did not let it: any execution of the program
    /// takes the same steps. None was left out because of a bound. A delay would not have changed anything, so it does not matter that none was tried. Where
    /// hashes were trusted this is no proof, so nodes that were met again count as left out.
    pub fn nothing(self) -> bool {
        let LeftOut {
            instances,
            recursion,
            unmodelled,
            branches,
            steps,
            delays: _,
            undecided,
            schedules,
            met,
            failures,
        } = self;
        !(instances
            || recursion
            || unmodelled.is_some()
            || branches
            || steps
            || undecided
            || schedules
            || met
            || failures)
    }

    /// Were all executions looked at, but for what comes behind calls that nest too deep?
    pub fn only_calls(self) -> bool {
        self.recursion && LeftOut { recursion: false, ..self }.nothing()
    }

    /// Were all executions looked at, but for what comes behind places that are not modelled?
    pub fn only_unmodelled(self) -> bool {
        self.unmodelled.is_some() && LeftOut { unmodelled: None, ..self }.nothing()
    }
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
    /// Paths that were followed to their ends.
    pub paths: u64,
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
            paths: 0,
        }
    }

    /// Runs to a violation or to the end, and calls `finished` for each execution in which all tasks end.
    pub fn run(&mut self, scheduler: Scheduler, mut finished: impl FnMut(Finished<'_>)) -> Result<(), Halt> {
        let root = Node::first(self.program, scheduler);
        let mut todo = vec![root];
        while let Some(mut node) = todo.pop() {
            self.paths += 1;
            loop {
                self.control.poll().map_err(Halt::Stopped)?;
                let other = self.other_mover(&node);
                let Some(task) = node.tree.selected() else {
                    self.left_out.schedules |= other;
                    if node.tree.is_final() {
                        if node.violated.is_some() && self.is_certain(&node) {
                            return Err(Halt::Violation(self.trace(node.violated)));
                        }
                        finished(Finished { values: &node.values, path: &node.path });
                    }
                    break;
                };
                let mut choices = self.choices(&mut node, task);
                let Some(choice) = choices.pop() else {
                    self.left_out.schedules |= other;
                    break;
                };
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

    /// Can another thread than the selected one move? If two can, there is another schedule.
    fn other_mover(&mut self, node: &Node) -> bool {
        if self.left_out.schedules {
            return true;
        }
        let program = self.program;
        let selected = node.tree.selected().map(|task| node.tree.thread(task));
        let mut others = program.thread_ids().filter(|&id| Some(id) != selected && node.can_move(program, id));
        let other = others.next().is_some();
        let both = other && selected.is_some_and(|thread| node.can_move(program, thread));
        self.left_out.schedules = both || others.next().is_some();
        other
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
                Some(threads) if does.joins != *threads => {
                    // It has waited for something else than this, which it can do now.
                    let is_there = node.is_enabled(program, does);
                    let falsehood = program.pool.bool(false);
                    self.left_out.schedules |= is_there && node.guard(program.pool, does) != falsehood;
                    continue;
                }
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
            if node.is_enabled(program, does) {
                let guard = node.guard(program.pool, does);
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
            Some(Violation::Unmodelled(number)) => self.left_out.unmodelled = Some((number, target.span)),
            Some(Violation::Failed(_)) | None => return false,
        }
        true
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
        let is_new = self.seen.insert(node.fingerprint());
        self.left_out.met |= !is_new;
        is_new
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
        let program = self.program;
        let action = program.action(id);
        self.steps += 1;
        self.links.push(Link { action: id, before: node.last });
        node.last = Some(self.links.len() as u32 - 1);
        node.execute(program, task, action, guard);
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
        self.left_out.failures = true;
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
