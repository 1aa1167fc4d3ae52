//! A data race in words: both accesses, the locks held at each, and what would order them.

use crate::trace::place;
use braid_engines::Counterexample;
use braid_logic::{Term, Value, Var};
use braid_program::Interpreter;
use braid_program::ast::Check;
use braid_program::cfa::{Accepted, Program, Step, StepKind, ThreadId, Violation};
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
struct Access {
    thread: ThreadId,
    /// `reads`, `writes` or `frees`.
    how: &'static str,
    span: Span,
    /// The locks that are held, with the places where they were taken.
    locks: Vec<(String, Span)>,
}

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
pub fn spots(program: &Program<'_>, counterexample: &Counterexample) -> Option<[(Place, String); 2]> {
    let (first, second) = both(program, counterexample)?;
    let spot = |access: Access, when: &str| {
        let locks: Vec<&str> = access.locks.iter().map(|(name, _)| name.as_str()).collect();
        let held = if locks.is_empty() { "no lock".to_owned() } else { locks.join(", ") };
        let name = &program.thread(access.thread).name;
        ((access.thread, access.span), format!("{}thread {name} {} here, holding {held}", when, access.how))
    };
    Some([spot(first, ""), spot(second, "while ")])
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
    let relation = program.action(last.action).relation(program.pool);
    let is_marker = |var: &Var| MARKERS.iter().any(|ending| program.pool.var_name(*var).ends_with(ending));
    let mut markers = relation.reads.iter().copied().filter(is_marker);
    let marker = markers.find(|&var| active(earlier.len(), var))?;
    let announces = |step: &&Step| assigns(step, marker);
    let (number, _) = earlier.iter().enumerate().rev().find(|&(number, _)| !active(number, marker))?;
    let action = program.action(earlier[number].action);
    let other = action.steps.iter().find(announces).filter(|_| action.thread != thread)?;
    let span = program.thread(thread).locations[location.index()].span;
    let ends = |var: &Var, ending: &str| program.pool.var_name(*var).ends_with(ending);
    // Only a write minds those who read, or announces itself where nobody is in its way.
    let announced = |&(var, value): &(Var, Term)| ends(&var, ".written") && value == program.pool.bool(true);
    let announces_write = |step: &Step| match &step.kind {
        StepKind::Assign(assignments) => assignments.iter().any(announced),
        _ => false,
    };
    let siblings = program.thread(thread).outgoing(program.action(last.action).source);
    let mut otherwise = siblings.iter().flat_map(|&id| &program.action(id).steps);
    let minds = otherwise.any(announces_write) || relation.reads.iter().any(|var| ends(var, ".read"));
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
