//! A data race in words: both accesses, the locks held at each, and what would order them.

use crate::trace::place;
use braid_engines::Counterexample;
use braid_logic::{Term, Value, Var};
use braid_program::Interpreter;
use braid_program::ast::Check;
use braid_program::cfa::{Accepted, Location, Program, Step, StepKind, ThreadId, Violation};
use braid_program::source::Span;

/// How the variables end that say who is accessing what, where data races are checked.
const MARKERS: [&str; 3] = [".written", ".read", ".freeing"];

/// Functions that take a lock, and those that give it back, by the lock's place in the text.
const TAKE: [&str; 10] = [
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock",
    "pthread_spin_lock",
    "mtx_lock",
    "mtx_trylock",
    "spin_lock",
    "mutex_lock",
];
const GIVE: [&str; 6] = [
    "pthread_mutex_unlock",
    "pthread_rwlock_unlock",
    "pthread_spin_unlock",
    "mtx_unlock",
    "spin_unlock",
    "mutex_unlock",
];

/// One of both accesses.
pub struct Access {
    pub thread: ThreadId,
    /// `reads`, `writes` or `frees`.
    pub how: &'static str,
    pub span: Span,
    /// The locks that are held, with the places where they were taken.
    pub locks: Vec<(String, Span)>,
}

/// So many locations of one access are looked at.
const MOST_PLACES: usize = 32;

/// Who does what where.
pub type Place = (ThreadId, Span);

/// A data race as sentences: the access that fails, and the one of another thread that is under way.
pub fn race(program: &Program<'_>, counterexample: &Counterexample) -> Option<String> {
    let (first, second) = both(program, counterexample)?;
    Some(format!("Data race: {} while {}.\n{}", told(program, &first), told(program, &second), advice(&first, &second)))
}

/// What would order the accesses of a data race.
pub fn help(program: &Program<'_>, counterexample: &Counterexample) -> Option<String> {
    both(program, counterexample).map(|(first, second)| advice(&first, &second))
}

/// The places of both accesses of a data race.
pub fn accesses(program: &Program<'_>, counterexample: &Counterexample) -> Option<(Place, Place)> {
    let (first, second) = both(program, counterexample)?;
    Some(((first.thread, first.span), (second.thread, second.span)))
}

/// Both accesses with what is to be said right there.
pub fn spots(program: &Program<'_>, counterexample: &Counterexample) -> Option<[(Access, String); 2]> {
    let (first, second) = both(program, counterexample)?;
    let spot = |access: Access, when: &str| {
        let locks: Vec<&str> = access.locks.iter().map(|(name, _)| name.as_str()).collect();
        let held = if locks.is_empty() { "no lock".to_owned() } else { locks.join(", ") };
        let name = &program.thread(access.thread).name;
        let label = format!("{}thread {name} {} here, holding {held}", when, access.how);
        (access, label)
    };
    Some([spot(first, ""), spot(second, "while ")])
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
fn both(program: &Program<'_>, counterexample: &Counterexample) -> Option<(Access, Access)> {
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
    let access = |thread: ThreadId, span: Span, until: usize, how: &'static str| {
        let actions = execution.steps[..until].iter().map(|step| program.action(step.action));
        let own = actions.filter(|action| action.thread == thread).flat_map(|action| &action.steps);
        Access { thread, how, span, locks: held(program, own) }
    };
    let first = access(thread, span, execution.steps.len(), first_does);
    let second = access(action.thread, other.span, number + 1, second_does);
    Some((first, second))
}

fn assigns(step: &Step, marker: Var) -> bool {
    matches!(&step.kind, StepKind::Assign(assignments) if assignments.iter().any(|(var, _)| *var == marker))
}

fn told(program: &Program<'_>, access: &Access) -> String {
    let locks: Vec<String> = (access.locks.iter())
        .map(|(name, span)| format!("{name}, taken in line {}", program.sources.position(*span).line))
        .collect();
    let text = program.sources.excerpt(access.span, 80);
    let held = if locks.is_empty() { "holding no lock".into() } else { format!("holding {}", locks.join(" and ")) };
    format!("thread {} does `{text}` at {} ({held})", program.thread(access.thread).name, place(program, access.span))
}

/// What would order both.
fn advice(a: &Access, b: &Access) -> String {
    let names = |access: &Access| access.locks.iter().map(|(name, _)| name.clone()).collect::<Vec<String>>();
    match (&names(a)[..], &names(b)[..]) {
        ([], []) => {
            "One lock around both accesses, a join between them, or atomic accesses on both sides would order them."
                .into()
        }
        ([lock, ..], []) | ([], [lock, ..]) => {
            format!("The side without a lock would have to hold {lock}, too.")
        }
        (a, b) if a.iter().any(|lock| b.contains(lock)) => {
            "Both hold a lock of that name, but not as writers, or not the same one.".into()
        }
        _ => "Both hold locks, but different ones: one of them would have to be the same.".into(),
    }
}

/// The locks that a thread holds after some steps, as its text says.
fn held<'s>(program: &Program<'_>, steps: impl Iterator<Item = &'s Step>) -> Vec<(String, Span)> {
    let mut locks: Vec<(String, Span)> = Vec::new();
    let mut before = None;
    for span in steps.map(|step| step.span) {
        // A call has several steps.
        if before.replace(span) == Some(span) {
            continue;
        }
        let text = program.sources.excerpt(span, 200);
        let Some((function, rest)) = text.split_once('(') else { continue };
        let (function, argument) = (function.trim(), rest.split([',', ')']).next().unwrap_or_default());
        let lock = argument.trim().trim_start_matches('&').to_owned();
        if TAKE.contains(&function) {
            locks.push((lock, span));
        } else if GIVE.contains(&function) {
            locks.retain(|(known, _)| *known != lock);
        }
    }
    locks
}
