//! The steps of an execution one by one: which cells each reads and writes, and what is to be said of it.

use super::Change;
use super::words::{Cell, Moment, Words};
use braid_engines::Counterexample;
use braid_logic::{Node, Term, TermPool, Value, Var};
use braid_program::cfa::{Action, ActionId, Location, Program, Step, StepKind, ThreadId};
use braid_program::graph::reached;
use braid_program::source::Span;
use braid_program::{Interpreter, State};

/// One step, or what an action does besides its steps.
pub struct Micro {
    pub thread: ThreadId,
    /// The action that it belongs to, by its place in the execution.
    pub action: usize,
    pub span: Span,
    pub reads: Vec<Cell>,
    pub writes: Vec<Cell>,
    /// What has another value afterwards, or was assigned, in the words of the program.
    pub changes: Vec<(Cell, Change)>,
    /// What it reads that others can write, with values.
    pub seen: Vec<(Cell, Change)>,
    /// A test of the program: does it hold?
    pub test: Option<bool>,
    /// The same if it is the test of a loop, as far as the automaton tells: the way of the other case leads here again, or only this one does.
    pub again: Option<bool>,
    /// What may be locks that it takes or gives back.
    pub locks: Vec<Locked>,
    pub forks: Vec<ThreadId>,
    pub joins: Vec<ThreadId>,
}

/// A shared cell in which a number gets away from 0, or nearer to it: so locks are taken and given back.
pub struct Locked {
    pub cell: Cell,
    /// Is it taken?
    pub taken: bool,
    /// Is the cell a part of a lock, by its type? Some locks are plain numbers.
    pub is_lock: bool,
}

/// All steps of an execution.
pub fn steps(program: &Program<'_>, counterexample: &Counterexample, words: &Words<'_, '_>) -> Vec<Micro> {
    let (execution, replayed) = (counterexample.execution(), counterexample.replayed());
    let interpreter = Interpreter::with_functions(program, execution.initial.funs.clone());
    let mut all = Vec::new();
    for (number, executed) in execution.steps.iter().enumerate() {
        let action = program.action(executed.action);
        let before = &replayed.states[number];
        let states = interpreter.in_between(before, executed.action, &executed.choices);
        let tests = is_test(program, action);
        for (at, step) in action.steps.iter().enumerate() {
            let Some(after) = states.get(at) else { break };
            let before = if at == 0 { before } else { &states[at - 1] };
            let look =
                Look { pool: program.pool, interpreter: &interpreter, words, thread: action.thread, before, after };
            let mut micro = look.micro(number, step);
            if let Some(test) = tests.as_ref().filter(|test| test.at == at) {
                (micro.test, micro.again) = (Some(test.holds), test.again);
            }
            all.push(micro);
        }
        if action.steps.is_empty() || !action.forks.is_empty() || !action.joins.is_empty() {
            let span = action.steps.last().map_or(action.span, |step| step.span);
            let (forks, joins) = (action.forks.clone(), action.joins.clone());
            all.push(Micro { forks, joins, ..Micro::nothing(action.thread, number, span) });
        }
    }
    all
}

impl Micro {
    fn nothing(thread: ThreadId, action: usize, span: Span) -> Micro {
        let (forks, joins) = (Vec::new(), Vec::new());
        let (reads, writes, changes, seen) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let locks = Vec::new();
        Micro { thread, action, span, reads, writes, changes, seen, test: None, again: None, locks, forks, joins }
    }
}

/// A test that an action begins with.
struct Test {
    /// Which step it is.
    at: usize,
    /// Is it the first case?
    holds: bool,
    /// Does only this case lead here again, or only the other one?
    again: Option<bool>,
}

/// If an action begins with a test whose other case is an action, too: that test.
fn is_test(program: &Program<'_>, action: &Action) -> Option<Test> {
    let siblings = program.thread(action.thread).outgoing(action.source);
    let assumption = |action: &Action| {
        action.steps.iter().enumerate().find_map(|(at, step)| match step.kind {
            StepKind::Assume(formula) => Some((at, step.span, formula)),
            _ => None,
        })
    };
    // Checks are no tests of the program's own.
    let is_check = |id: &ActionId| {
        let action = program.action(*id);
        program.thread(action.thread).locations[action.target.index()].violation.is_some()
    };
    if siblings.iter().any(is_check) {
        return None;
    }
    let (at, span, formula) = assumption(action)?;
    let negated = program.pool.not(formula);
    let mut cases = siblings.iter().filter_map(|&id| Some((id, assumption(program.action(id))?)));
    let other = cases.find(|(_, (_, place, other))| *place == span && *other == negated)?.0;
    let own = siblings.iter().position(|&id| std::ptr::eq(program.action(id), action))?;
    let (case, other) = (other, siblings.iter().position(|&id| id == other)?);
    let back = [action.target, program.action(case).target].map(|target| leads_to(program, action, target));
    let again = (back[0] != back[1]).then_some(back[0]);
    Some(Test { at, holds: own < other, again })
}

/// Can the thread of an action come back to where the action begins?
fn leads_to(program: &Program<'_>, action: &Action, from: Location) -> bool {
    let thread = program.thread(action.thread);
    let next = |location: usize| {
        let outgoing = thread.outgoing(Location(location as u32)).iter();
        outgoing.map(|&id| program.action(id).target.index()).collect::<Vec<usize>>()
    };
    reached(thread.locations.len(), [from.index()], next)[action.source.index()]
}

struct Look<'l, 'a, 'p> {
    pool: &'p TermPool,
    interpreter: &'l Interpreter<'a, 'p>,
    words: &'l Words<'a, 'p>,
    thread: ThreadId,
    before: &'l State,
    after: &'l State,
}

impl Look<'_, '_, '_> {
    fn micro(&self, action: usize, step: &Step) -> Micro {
        let mut micro = Micro::nothing(self.thread, action, step.span);
        match &step.kind {
            StepKind::Assume(formula) | StepKind::Await(formula, _) => self.reads(*formula, None, &mut micro.reads),
            StepKind::Assign(assignments) => {
                for (var, term) in assignments {
                    self.reads(*term, Some(*var), &mut micro.reads);
                    self.written(*var, *term, &mut micro.writes);
                }
            }
            StepKind::Havoc(vars) => micro.writes.extend(vars.iter().map(|&var| Cell::whole(var))),
        }
        let chosen = matches!(step.kind, StepKind::Havoc(_));
        let moment = Moment { state: self.after, thread: self.thread, at: Some(step.span) };
        // What a variable of C holds before it is assigned is nobody's choice.
        let told = micro.writes.iter().filter(|_| !chosen || !self.words.is_c());
        micro.changes = told.filter_map(|cell| Some((cell.clone(), self.change(cell, chosen, moment)?))).collect();
        let others = micro.reads.iter().filter(|cell| self.words.owner(cell.var).is_none());
        micro.seen = others.filter_map(|cell| Some((cell.clone(), self.seen(cell, step.span)?))).collect();
        let shared = micro.writes.iter().filter(|cell| self.words.owner(cell.var).is_none());
        micro.locks = shared.filter_map(|cell| self.locked(cell)).collect();
        micro
    }

    fn locked(&self, cell: &Cell) -> Option<Locked> {
        let amount =
            |state| Some(self.words.current(cell, state).as_ref().and_then(super::words::number)?.unsigned_abs());
        let (before, after) = (amount(self.before)?, amount(self.after)?);
        let is_lock = self.words.is_lock(cell, self.after);
        (before != after).then(|| Locked { cell: cell.clone(), taken: after > before, is_lock })
    }

    fn change(&self, cell: &Cell, chosen: bool, moment: Moment<'_>) -> Option<Change> {
        let value = self.words.current(cell, self.after)?;
        let old = self.words.current(cell, self.before);
        if matches!(value, Value::Array(_)) {
            return None;
        }
        // The name is one at the time before: the pointer that leads there may be what changes.
        let name =
            self.words.name(cell, Moment { state: self.before, ..moment }).or_else(|| self.words.name(cell, moment))?;
        let before = old.map(|old| self.words.value(cell, &old, moment));
        let own = self.words.owner(cell.var).is_some();
        Some(Change { name, value: self.words.value(cell, &value, moment), before, chosen, own, cell: None })
    }

    fn seen(&self, cell: &Cell, span: Span) -> Option<Change> {
        let moment = Moment { state: self.before, thread: self.thread, at: Some(span) };
        let value = self.words.current(cell, self.before)?;
        let name = self.words.name(cell, moment)?;
        Some(Change { name, value: self.words.value(cell, &value, moment), ..Change::default() })
    }

    fn value(&self, term: Term) -> Option<Value> {
        self.pool.evaluate(term, &self.interpreter.view(self.before)).ok()
    }

    /// The cells that a term reads. What an array that is written to holds besides is not read.
    fn reads(&self, term: Term, target: Option<Var>, out: &mut Vec<Cell>) {
        match self.pool.node(term) {
            Node::Var(var) if Some(*var) == target && self.pool.array_sorts(self.pool.var_sort(*var)).is_some() => {}
            Node::Var(var) => add(out, Cell::whole(*var)),
            Node::Ite(test, then, other) => {
                self.reads(*test, target, out);
                match self.value(*test) {
                    Some(Value::Bool(true)) => self.reads(*then, target, out),
                    Some(Value::Bool(false)) => self.reads(*other, target, out),
                    _ => [*then, *other].into_iter().for_each(|case| self.reads(case, target, out)),
                }
            }
            Node::Select(array, index) => {
                self.reads(*index, target, out);
                match (self.cell(term), self.pool.node(*array)) {
                    (Some(cell), _) => add(out, cell),
                    (None, _) => self.reads(*array, None, out),
                }
            }
            node => node.children().into_iter().for_each(|child| self.reads(child, target, out)),
        }
    }

    /// The cell that a term is, if it is one.
    fn cell(&self, term: Term) -> Option<Cell> {
        match self.pool.node(term) {
            Node::Var(var) => Some(Cell::whole(*var)),
            Node::Select(array, index) => {
                let mut cell = self.cell(*array)?;
                cell.at.push(self.value(*index)?);
                Some(cell)
            }
            _ => None,
        }
    }

    /// The cells that an assignment writes.
    fn written(&self, var: Var, term: Term, out: &mut Vec<Cell>) {
        let value = |state| self.interpreter.value(state, var);
        if let (Some(Value::Array(old)), Some(Value::Array(new))) = (value(self.before), value(self.after))
            && old.base == new.base
        {
            let mut at: Vec<Value> = new.cells.differences(&old.cells).into_iter().cloned().collect();
            // What is written may have been there before.
            let mut rest = term;
            while let Node::Store(array, index, _) = self.pool.node(rest) {
                at.extend(self.value(*index).filter(|index| !at.contains(index)));
                rest = *array;
            }
            out.extend(at.into_iter().map(|at| Cell { var, at: vec![at] }));
            return;
        }
        out.push(Cell::whole(var));
    }
}

fn add(cells: &mut Vec<Cell>, cell: Cell) {
    if !cells.contains(&cell) {
        cells.push(cell);
    }
}
