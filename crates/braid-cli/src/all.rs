//! Several properties at once: what one translation can check together is one question, and questions are answered side by side.
//!
//! A violation of one check ends its executions, as undefined behaviour does; so when one is found, the question is asked
//! again without it, until nothing is left to find. Where a question about several checks finds no answer, each of a few smaller ones is asked.

use crate::answer::{Question, remarks};
use crate::document::CheckVerdict;
use crate::exit::{Failure, Status};
use crate::input::{Input, Source};
use crate::verify::{Answer, Job};
use braid_frontend::c::tree::Unit;
use braid_frontend::{Assumption, Reading};
use braid_program::ast::{Check, Checks, StmtKind};
use braid_program::source::Span;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

/// Checks that change what a translation is like: each has one of its own.
const APART: [Check; 3] = [Check::Race, Check::Deadlock, Check::Progress];

/// Smaller questions, where a large one has no answer.
const SMALLER: [Checks; 4] = [
    Checks::of(Check::Assertion),
    Checks::of(Check::Deref).with(Check::Free),
    Checks::of(Check::Memtrack).with(Check::Memcleanup),
    Checks::of(Check::Overflow).with(Check::Undefined).with(Check::Uninitialised),
];

/// Places where something is wrong that are told at most, of one question.
const MOST_PLACES: usize = 100;

/// How deep the stacks of threads are that work beside the first one, in bytes.
const STACK: usize = 256 << 20;

/// What is known of some checks.
struct Part {
    checks: Checks,
    answer: Answer,
}

/// All the work, in the worker's thread.
pub fn work(job: &Job) -> Result<Answer, Failure> {
    let mut questions: Vec<Checks> = APART.map(Checks::of).into_iter().map(|one| one.among(job.checks)).collect();
    questions.insert(0, APART.into_iter().fold(job.checks, |rest, apart| rest.without(Checks::of(apart))));
    questions.retain(|checks| !checks.is_empty());
    let several = job.checks.iter().count() > 1 && !job.checks.without(Checks::MEMORY).is_empty();
    if (!several && !job.all) || !matches!(job.source, Source::Program { .. }) {
        let input = job.source.read()?;
        return Question { job, source: &job.source, deadline: job.deadline }.answer(input);
    }
    let first = narrowed(&job.source, questions[0], Vec::new());
    let input = first.read()?;
    let unit = input.unit.clone();
    // What is not modelled could do anything.
    let is_whole = !input.program.statements().any(|stmt| matches!(stmt.kind, StmtKind::Unmodelled(_)));
    let trivial = unit.as_deref().filter(|_| is_whole).map_or(Checks::NONE, Unit::trivial);
    let trivial = trivial.among(job.checks).without(questions[0]);
    questions.retain(|checks| !checks.without(trivial).is_empty());
    let mut parts = thread::scope(|scope| {
        let mut others = Vec::new();
        for &checks in &questions[1..] {
            let same_prelude = checks.is_about_waiting() == questions[0].is_about_waiting();
            let unit = unit.as_deref().filter(|_| same_prelude);
            let body = move || ask(job, checks, None, unit).inspect_err(|_| job.stop());
            let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body);
            others.push(thread.map_err(|error| Failure::internal(&format!("no thread: {error}")))?);
        }
        let mut parts = ask(job, questions[0], Some(input), unit.as_deref()).inspect_err(|_| job.stop())?;
        for other in others {
            parts.extend(other.join().map_err(|_| Failure::internal("a thread ended early"))??);
        }
        Ok::<Vec<Part>, Failure>(parts)
    })?;
    parts.sort_by_key(|part| (part.answer.status != Status::Unsafe, part.checks.iter().next()));
    let answered = parts.iter().fold(trivial, |all, part| all.and(part.checks));
    if !job.checks.without(answered).is_empty() {
        return Err(Failure::internal("a question was left out"));
    }
    Ok(together(parts, trivial))
}

/// The program, read for fewer checks, and not for those that are known to fail at a place.
fn narrowed(source: &Source, checks: Checks, excused: Vec<(Check, Span)>) -> Source {
    match source {
        Source::Program { file, reading } => {
            Source::Program { file: file.clone(), reading: Reading { checks, excused, ..reading.clone() } }
        }
        Source::Hyper(request) => Source::Hyper(request.clone()),
    }
}

/// Everything about some checks that one translation can hold.
fn ask(job: &Job, checks: Checks, first: Option<Input>, unit: Option<&Unit>) -> Result<Vec<Part>, Failure> {
    let several = SMALLER.iter().filter(|smaller| !smaller.among(checks).is_empty()).count() > 1;
    // Smaller questions get half of the time.
    let now = Instant::now();
    let half = job.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / 2);
    let mut parts = violations(job, checks, if several { half } else { job.deadline }, (first, unit))?;
    let is_open = |last: &mut Part| several && last.answer.status == Status::Unknown && !job.is_over();
    let Some(open) = parts.pop_if(is_open) else { return Ok(parts) };
    let smaller: Vec<Checks> = SMALLER.into_iter().map(|smaller| smaller.among(open.checks)).collect();
    for (number, &checks) in smaller.iter().enumerate().filter(|(_, checks)| !checks.is_empty()) {
        let now = Instant::now();
        let share = (smaller.len() - number) as u32;
        let deadline = job.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / share);
        parts.extend(violations(job, checks, deadline, (None, unit))?);
    }
    Ok(parts)
}

/// All violations of some checks, and what is known of the rest.
fn violations(
    job: &Job,
    mut checks: Checks,
    deadline: Option<Instant>,
    (mut first, unit): (Option<Input>, Option<&Unit>),
) -> Result<Vec<Part>, Failure> {
    let (mut parts, mut excused) = (Vec::new(), Vec::new());
    while !checks.is_empty() {
        let source = narrowed(&job.source, checks, excused.clone());
        let input = match (first.take(), unit) {
            (Some(input), _) => input,
            (None, Some(unit)) => Input::of_unit(Arc::new(unit.clone()), source.reading())?,
            (None, None) => source.read()?,
        };
        let answer = Question { job, source: &source, deadline }.answer(input)?;
        let known = answer.violated.map_or(checks, |(check, _)| Checks::of(check));
        // Deadlocks and livelocks have no place of their own.
        let told = |(check, _): &(Check, Span)| {
            job.all && !Checks::of(*check).is_about_waiting() && excused.len() < MOST_PLACES
        };
        match answer.violated.filter(told) {
            Some(place) => excused.push(place),
            None => checks = checks.without(known),
        }
        parts.push(Part { checks: known, answer });
    }
    Ok(parts)
}

/// One answer of all: the worst first, the others in a line each.
fn together(parts: Vec<Part>, trivial: Checks) -> Answer {
    let lines = lines(&parts, trivial);
    let free_of_races = lines.iter().any(|(check, line)| *check == Check::Race && line.verdict == "safe");
    let mut assumptions: Vec<String> = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    for Part { answer, .. } in &parts {
        let add = |all: &mut Vec<String>, new: &[String]| {
            let new: Vec<String> = new.iter().filter(|one| !all.contains(one)).cloned().collect();
            all.extend(new);
        };
        add(&mut assumptions, &answer.document.assumptions);
        add(&mut notes, &answer.document.notes);
    }
    assumptions.retain(|assumption| !free_of_races || *assumption != Assumption::NoRaces.to_string());
    let worst = parts.iter().map(|part| part.answer.status).max_by_key(|status| badness(*status));
    let leads = parts.iter().position(|part| Some(part.answer.status) == worst).unwrap_or_default();
    let certificates: String = parts.iter().filter_map(|part| part.answer.certificate.as_deref()).collect();
    let mut parts = parts;
    let mut answer = parts.swap_remove(leads).answer;
    answer.certificate = Some(certificates).filter(|text| !text.is_empty());
    let mut table = String::new();
    for (_, line) in &lines {
        let reason = line.reason.as_deref().map(|reason| format!("   {reason}")).unwrap_or_default();
        table += format!("{:<18} {:<8}{reason}", line.property, line.verdict).trim_end();
        table += "\n";
        line.also.iter().for_each(|other| table += &format!("{:<30}{other}\n", ""));
    }
    let same_verdict = |line: &&(Check, CheckVerdict)| line.1.verdict == answer.document.verdict;
    let names: Vec<&str> = lines.iter().filter(same_verdict).map(|(check, _)| check.name()).collect();
    if answer.status != Status::Safe {
        let is_alone = names.len() == 1 && answer.status == Status::Unknown;
        let reason = answer.document.reason.take().filter(|_| is_alone);
        let names = names.join(", ");
        answer.document.reason = Some(reason.map_or(names.clone(), |reason| format!("{names}: {reason}")));
    }
    let told = remarks(&answer.document.notes, &answer.document.assumptions);
    let text = answer.text.strip_suffix(&told).unwrap_or(&answer.text).to_owned();
    answer.text = format!("{text}{}\n{table}", remarks(&notes, &assumptions));
    (answer.document.notes, answer.document.assumptions) = (notes, assumptions);
    answer.document.checks = lines.into_iter().map(|(_, line)| line).collect();
    answer
}

/// What is known of each check, in order.
fn lines(parts: &[Part], trivial: Checks) -> Vec<(Check, CheckVerdict)> {
    let holds = |check: Check| CheckVerdict {
        property: check.name().to_owned(),
        verdict: "safe".into(),
        reason: None,
        also: Vec::new(),
    };
    let mut lines: BTreeMap<Check, CheckVerdict> = trivial.iter().map(|check| (check, holds(check))).collect();
    for Part { checks, answer } in parts {
        let document = &answer.document;
        let told = document.counterexample.as_ref().map(|found| one_line(&found.violation));
        for check in checks.iter() {
            let reason = told.clone().or_else(|| document.reason.clone());
            let verdict = document.verdict.clone();
            match lines.entry(check) {
                Entry::Vacant(free) => {
                    let property = check.name().to_owned();
                    free.insert(CheckVerdict { property, verdict, reason, also: Vec::new() });
                }
                // The worst comes first.
                Entry::Occupied(known) if verdict != "safe" => {
                    let known = known.into_mut();
                    let told: Vec<&String> = known.reason.iter().chain(&known.also).collect();
                    let is_new = |reason: &String| told.iter().all(|other| places(other) != places(reason));
                    let new = match answer.status {
                        Status::Unsafe => reason.filter(is_new),
                        _ => Some(format!("There may be more: {}", reason.unwrap_or(verdict))),
                    };
                    known.also.extend(new);
                }
                Entry::Occupied(_) => {}
            }
        }
    }
    lines.into_iter().collect()
}

/// The places in a sentence: two accesses that race do so in both orders.
fn places(sentence: &str) -> Vec<&str> {
    let mut places: Vec<&str> = sentence.split(' ').filter(|word| word.matches(':').count() > 1).collect();
    places.sort_unstable();
    places
}

/// The first line of a story.
fn one_line(story: &str) -> String {
    story.lines().next().unwrap_or_default().to_owned()
}

fn badness(status: Status) -> u8 {
    match status {
        Status::Unsafe => 2,
        Status::Unknown => 1,
        _ => 0,
    }
}

impl Job {
    /// Lets all engines stop: nobody waits for what they would say.
    fn stop(&self) {
        self.cancelled.store(true, std::sync::atomic::Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        self.cancelled.load(std::sync::atomic::Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
