//! A data race in words: both accesses, the locks held at each, and what would order them.

use crate::story::Cell;
use crate::trace::place;
use braid_engines::Counterexample;
use braid_logic::{Term, Value, Var};
use braid_program::Interpreter;
use braid_program::ast::Check;
use braid_program::cfa::{Accepted, Location, Program, Step, StepKind, ThreadId, Violation};
use braid_program::source::Span;

/// How the variables end that say who is accessing what, where data races are checked.
const MARKERS: [&str; 3] = [".written", ".read", ".freeing"];

/// One of both accesses.
pub struct Access {
    pub thread: ThreadId,
    /// `reads`, `writes` or `frees`.
    pub how: &'static str,
    pub span: Span,
    /// How many actions of the execution have been done then.
    pub after: usize,
}

/// An access, and the locks that its thread holds.
pub struct Side {
    pub access: Access,
    pub locks: Vec<Lock>,
}

/// A lock that a thread has taken.
pub struct Lock {
    pub name: String,
    /// Where it is: one lock may have several names.
    pub cell: Cell,
    /// Where it was taken.
    pub taken: Span,
}

/// So many locations of one access are looked at.
const MOST_PLACES: usize = 32;

/// Who does what where.
pub type Place = (ThreadId, Span);

/// A data race as a sentence: the access that fails, and the one of another thread that is under way.
pub fn race(program: &Program<'_>, counterexample: &Counterexample) -> Option<String> {
    let [first, second] = both(program, counterexample)?;
    Some(format!("Data race: {} while {}.", does(program, &first), does(program, &second)))
}

/// The same with locks.
pub fn told(program: &Program<'_>, [first, second]: &[Side; 2]) -> String {
    let told = |side: &Side| format!("{} ({})", does(program, &side.access), holding(program, &side.locks));
    format!("Data race: {} while {}.", told(first), told(second))
}

/// The places of both accesses of a data race.
pub fn accesses(program: &Program<'_>, counterexample: &Counterexample) -> Option<(Place, Place)> {
    let [first, second] = both(program, counterexample)?;
    Some(((first.thread, first.span), (second.thread, second.span)))
}

/// What is to be said where an access is; `when`: how the sentence begins.
pub fn label(program: &Program<'_>, Side { access, locks }: &Side, when: &str) -> String {
    let locks: Vec<&str> = locks.iter().map(|lock| lock.name.as_str()).collect();
    let held = if locks.is_empty() { "no lock".to_owned() } else { locks.join(", ") };
    format!("{when}thread {} {} here, holding {held}", program.thread(access.thread).name, access.how)
}

/// What two threads access at once: the variable, and which element, if it has elements.
pub fn object(program: &Program<'_>, counterexample: &Counterexample) -> Option<(Var, Vec<Value>)> {
    let marker = program.pool.var_name(marker(program, counterexample)?);
    let var = |name: &str| program.pool.find_var(name);
    let at = match var(&format!("{marker}.at")) {
        Some(at) => {
            let state = counterexample.replayed().states.iter().rev().nth(1)?;
            vec![Interpreter::new(program).value(state, at)?.clone()]
        }
        None => Vec::new(),
    };
    Some((var(marker.rsplit_once('.')?.0)?, at))
}

/// The marker of the access that is under way when another one fails.
fn marker(program: &Program<'_>, counterexample: &Counterexample) -> Option<Var> {
    let (last, earlier) = counterexample.execution().steps.split_last()?;
    let state = &counterexample.replayed().states[earlier.len()];
    let interpreter = Interpreter::new(program);
    let relation = program.action(last.action).relation(program.pool);
    let mut markers = relation.reads.iter().copied().filter(|&var| is_marker(program, var));
    markers.find(|&var| interpreter.value(state, var) == Some(&Value::Bool(true)))
}

fn is_marker(program: &Program<'_>, var: Var) -> bool {
    MARKERS.iter().any(|ending| program.pool.var_name(var).ends_with(ending))
}

/// Does an access that fails at a place write? If nothing were in its way it would announce that, at once and at the same place.
fn announces_write(program: &Program<'_>, thread: ThreadId, source: Location, span: Span) -> bool {
    let is_announced = |step: &Step| match &step.kind {
        StepKind::Assign(assignments) if step.span == span => assignments
            .iter()
            .any(|(var, value)| *value == Term::TRUE && program.pool.var_name(*var).ends_with(".written")),
        _ => false,
    };
    let (mut todo, mut seen) = (vec![source], vec![source]);
    while let Some(location) = todo.pop().filter(|_| seen.len() <= MOST_PLACES) {
        for action in program.thread(thread).outgoing(location).iter().map(|&id| program.action(id)) {
            if action.steps.iter().any(is_announced) {
                return true;
            }
            let goes_on = action.steps.iter().all(|step| step.span == span) && !seen.contains(&action.target);
            if goes_on {
                seen.push(action.target);
                todo.push(action.target);
            }
        }
    }
    false
}

/// The access that fails, and the one of another thread that is under way.
pub fn both(program: &Program<'_>, counterexample: &Counterexample) -> Option<[Access; 2]> {
    let (execution, replayed) = (counterexample.execution(), counterexample.replayed());
    let Accepted::Violation(thread, location, Violation::Failed(Check::Race)) = replayed.violation else {
        return None;
    };
    let (last, earlier) = execution.steps.split_last()?;
    let interpreter = Interpreter::new(program);
    let active = |state: usize, var: Var| interpreter.value(&replayed.states[state], var) == Some(&Value::Bool(true));
    let failing = program.action(last.action);
    let relation = failing.relation(program.pool);
    let marker = marker(program, counterexample)?;
    let announces = |step: &&Step| assigns(step, marker);
    let (number, _) = earlier.iter().enumerate().rev().find(|&(number, _)| !active(number, marker))?;
    let action = program.action(earlier[number].action);
    let other = action.steps.iter().find(announces).filter(|_| action.thread != thread)?;
    let span = program.thread(thread).locations[location.index()].span;
    let ends = |var: &Var, ending: &str| program.pool.var_name(*var).ends_with(ending);
    // Of reads, only an atomic write takes notice.
    let minds =
        relation.reads.iter().any(|var| ends(var, ".read")) || announces_write(program, thread, failing.source, span);
    let [first_does, second_does] = match () {
        () if ends(&marker, ".freeing") => [if minds { "writes" } else { "reads" }, "frees"],
        () if ends(&marker, ".read") => ["writes", "reads"],
        () => [if minds { "writes" } else { "reads" }, "writes"],
    };
    let first = Access { thread, how: first_does, span, after: execution.steps.len() };
    let second = Access { thread: action.thread, how: second_does, span: other.span, after: number + 1 };
    Some([first, second])
}

fn assigns(step: &Step, marker: Var) -> bool {
    matches!(&step.kind, StepKind::Assign(assignments) if assignments.iter().any(|(var, _)| *var == marker))
}

fn does(program: &Program<'_>, access: &Access) -> String {
    let text = program.sources.excerpt(access.span, 80);
    format!("thread {} does `{text}` at {}", program.thread(access.thread).name, place(program, access.span))
}

fn holding(program: &Program<'_>, locks: &[Lock]) -> String {
    let line = |span: Span| program.sources.position(span).line;
    let locks: Vec<String> =
        locks.iter().map(|Lock { name, taken, .. }| format!("{name}, taken in line {}", line(*taken))).collect();
    if locks.is_empty() { "holding no lock".into() } else { format!("holding {}", locks.join(" and ")) }
}

/// What would order both.
pub fn advice(a: &Side, b: &Side) -> String {
    let is_common = |lock: &&Lock| b.locks.iter().any(|other| other.cell == lock.cell);
    match (&a.locks[..], &b.locks[..]) {
        ([], []) => {
            "One lock around both accesses, a join between them, or atomic accesses on both sides would order them."
                .into()
        }
        ([lock, ..], []) | ([], [lock, ..]) => {
            format!("The side without a lock would have to hold {}, too.", lock.name)
        }
        (own, _) => match own.iter().find(is_common) {
            Some(lock) => format!("Both hold {}, but not as writers.", lock.name),
            None => "Both hold locks, but different ones: one of them would have to be the same.".into(),
        },
    }
}
