//! A livelock in words: who goes round which circle, and who waits beside them.

use crate::machine::plain;
use crate::trace::{TraceStep, Wording};
use braid_engines::Counterexample;
use braid_program::Interpreter;
use braid_program::cfa::{Accepted, Program, ThreadId};
use braid_program::deadlock::Wait;
use braid_program::livelock::{Circling, Livelock, Member, Ongoing};
use braid_program::source::Span;

/// So many places of a circle are told.
const LONGEST: usize = 8;

/// The livelock that a counterexample ends in; none if it ends in something else.
fn livelock(program: &Program<'_>, counterexample: &Counterexample) -> Option<Livelock> {
    if counterexample.replayed().violation != Accepted::Livelock {
        return None;
    }
    let interpreter = Interpreter::with_functions(program, counterexample.execution().initial.funs.clone());
    match interpreter.circling(counterexample.replayed().states.last()?) {
        Circling::Livelock(livelock) => Some(livelock),
        Circling::None | Circling::Undetermined => None,
    }
}

/// Where the first thread goes round.
pub fn place(program: &Program<'_>, counterexample: &Counterexample) -> Option<Span> {
    circle(program, counterexample).first().map(|step| step.span)
}

/// The steps that are repeated for ever, thread by thread.
pub fn circle(program: &Program<'_>, counterexample: &Counterexample) -> Vec<TraceStep> {
    let members = livelock(program, counterexample).map(|livelock| livelock.members).unwrap_or_default();
    let wording = Wording::new(program);
    members.iter().flat_map(|member| steps(program, &wording, member)).collect()
}

/// Where each thread is from then on, with what is to be said right there; those first who spin.
pub fn spots(program: &Program<'_>, counterexample: &Counterexample) -> Vec<(ThreadId, Span, String)> {
    let members = livelock(program, counterexample).map(|livelock| livelock.members).unwrap_or_default();
    let wording = Wording::new(program);
    let spot = |member: &Member| {
        let name = &program.thread(member.thread).name;
        let (span, label) = match &member.ongoing {
            Ongoing::Spins(_) => {
                (steps(program, &wording, member).first()?.span, format!("{name} goes round for ever"))
            }
            Ongoing::Waits(waits) => (awaited(waits), format!("{name} waits here for ever")),
        };
        Some((member.thread, span, label))
    };
    let (spinning, waiting): (Vec<&Member>, Vec<&Member>) =
        members.iter().partition(|member| matches!(member.ongoing, Ongoing::Spins(_)));
    spinning.into_iter().chain(waiting).filter_map(spot).collect()
}

/// Where a thread waits.
fn awaited(waits: &[Wait]) -> Span {
    let known = waits.iter().find(|wait| wait.test.is_some()).or(waits.first());
    known.map_or(Span::default(), |wait| wait.span)
}

/// One round of a thread that spins.
fn steps(program: &Program<'_>, wording: &Wording<'_, '_>, member: &Member) -> Vec<TraceStep> {
    let Ongoing::Spins(actions) = &member.ongoing else { return Vec::new() };
    let step = |&id| {
        let action = program.action(id);
        TraceStep {
            thread: member.thread,
            action: id,
            span: action.steps.first().map_or(action.span, |step| step.span),
            text: plain(&wording.action(action)),
            choices: Vec::new(),
            changed: Vec::new(),
        }
    };
    actions.iter().map(step).collect()
}

/// The livelock that a counterexample ends in, as sentences; none if it ends in something else.
pub fn sentence(program: &Program<'_>, counterexample: &Counterexample) -> Option<String> {
    let livelock = livelock(program, counterexample)?;
    let wording = Wording::new(program);
    let line = |span: Span| program.sources.position(span).line;
    let told = livelock.members.iter().map(|member| {
        let name = &program.thread(member.thread).name;
        match &member.ongoing {
            Ongoing::Spins(_) => {
                let mut places: Vec<String> = steps(program, &wording, member)
                    .iter()
                    .map(|step| format!("line {} `{}`", line(step.span), step.text))
                    .collect();
                places.dedup();
                let more = places.len().saturating_sub(LONGEST);
                places.truncate(LONGEST);
                let more = if more > 0 { format!(", and {more} more places") } else { String::new() };
                format!("thread {name} loops ({}{more})", places.join(", "))
            }
            Ongoing::Waits(waits) => {
                let span = awaited(waits);
                let excerpt = plain(&program.sources.excerpt(span, 60));
                format!("thread {name} waits in `{excerpt}` (line {})", line(span))
            }
        }
    });
    let told: Vec<String> = told.collect();
    Some(format!("Livelock: nobody can ever progress. From here on, {}.", told.join("; ")))
}
