//! Several properties at once: what one translation can check together is one question, and questions are answered side by side.
//!
//! A violation of one check ends its executions, as undefined behaviour does; so when one is found, the question is asked
//! again without it, until nothing is left to find. Where a question about several checks finds no answer, each of a few smaller ones is asked.

use crate::answer::{Question, remarks};
use crate::check_words::{in_words, one_line, places};
use crate::document::CheckVerdict;
use crate::exit::{Failure, Status};
use crate::input::{Input, Source};
use crate::output::Page;
use crate::questions::{APART, SMALLER, groups, harmless};
use crate::verify::{Answer, Job};
use braid_engines::StopReason;
use braid_frontend::c::tree::Unit;
use braid_frontend::{Assumption, Reading};
use braid_program::ast::{Check, Checks, StmtKind};
use braid_program::source::Span;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Places where something is wrong that are told at most, of one question.
const MOST_PLACES: usize = 100;

/// How deep the stacks of threads are that work beside the first one, in bytes.
const STACK: usize = 256 << 20;

/// How long a question about several checks is asked where there is no end, and then at first each smaller one.
const SLICE: Duration = Duration::from_secs(30);

/// What is known of some checks.
struct Part {
    checks: Checks,
    answer: Answer,
}

/// What is known so far, also to the watcher: if one question does not stop in time, the answers to the others count.
#[derive(Default)]
pub struct Found(Mutex<Known>);

struct Known {
    /// What holds by the look of the program.
    trivial: Checks,
    parts: Vec<Part>,
    /// When the first violation was found.
    violated: Option<Instant>,
}

/// Nothing.
impl Default for Known {
    fn default() -> Known {
        Known { trivial: Checks::NONE, parts: Vec::new(), violated: None }
    }
}

impl Known {
    /// Notes that checks hold.
    fn hold(&mut self, checks: Checks) {
        self.trivial = self.trivial.and(checks);
    }

    /// Notes an answer.
    fn add(&mut self, part: Part) {
        if part.answer.status == Status::Unsafe {
            self.violated.get_or_insert_with(Instant::now);
        }
        self.parts.push(part);
    }
}

impl Found {
    fn change(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When the first violation was found.
    pub fn violated(&self) -> Option<Instant> {
        self.change().violated
    }

    /// The answer without the questions that are still open; these have the given one. Where every place is wanted, what is violated
    /// is open, too.
    pub fn without_the_rest(&self, checks: Checks, every_place: bool, rest: Answer) -> Answer {
        let Known { trivial, mut parts, .. } = std::mem::take(&mut *self.change());
        if parts.is_empty() && trivial.is_empty() {
            return rest;
        }
        let is_done = |part: &&Part| !every_place || part.answer.status != Status::Unsafe;
        let done = parts.iter().filter(is_done).fold(trivial, |all, part| all.and(part.checks));
        let open = checks.without(done);
        if !open.is_empty() {
            parts.push(Part { checks: open, answer: rest });
        }
        together(parts, trivial)
    }
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
    let mut input = narrowed(&job.source, questions[0], Vec::new()).read()?;
    let unit = input.unit.clone();
    // What is not modelled could do anything.
    let is_whole = !input.program.statements().any(|stmt| matches!(stmt.kind, StmtKind::Unmodelled(_)));
    let trivial = unit.as_deref().filter(|_| is_whole).map_or(Checks::NONE, Unit::trivial);
    let trivial = trivial.among(job.checks).without(questions[0]);
    questions.retain(|checks| !checks.without(trivial).is_empty());
    job.found.change().hold(trivial);
    let groups = if unit.is_some() { groups(&input.program, questions[0]) } else { vec![questions[0]] };
    if groups[0] != questions[0] {
        input = read(&narrowed(&job.source, groups[0], Vec::new()), unit.as_deref())?;
    }
    questions.splice(..1, groups);
    thread::scope(|scope| {
        let mut others = Vec::new();
        for &checks in &questions[1..] {
            let same_prelude = checks.is_about_waiting() == questions[0].is_about_waiting();
            let unit = unit.as_deref().filter(|_| same_prelude);
            let body = move || ask(job, checks, None, unit).inspect_err(|_| job.stop());
            let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body);
            others.push(thread.map_err(|error| Failure::internal(&format!("no thread: {error}")))?);
        }
        ask(job, questions[0], Some(input), unit.as_deref()).inspect_err(|_| job.stop())?;
        for other in others {
            other.join().map_err(|_| Failure::internal("a thread ended early"))??;
        }
        Ok::<(), Failure>(())
    })?;
    let Known { trivial, parts, .. } = std::mem::take(&mut *job.found.change());
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

/// Finds everything about some checks that one translation can hold.
fn ask(job: &Job, checks: Checks, first: Option<Input>, unit: Option<&Unit>) -> Result<(), Failure> {
    let several = SMALLER.iter().filter(|smaller| !smaller.among(checks).is_empty()).count() > 1;
    let is_first = first.is_some();
    let input = first.map_or_else(|| read(&narrowed(&job.source, checks, Vec::new()), unit), Ok)?;
    let harmless = harmless(&input.program, checks);
    // The first question also says what is assumed.
    if !is_first && checks.without(harmless).is_empty() {
        job.found.change().hold(checks);
        return Ok(());
    }
    // What holds by the look of the program is known at once, also to the watcher.
    let rest = checks.without(harmless);
    if !rest.is_empty() {
        job.found.change().hold(checks.among(harmless));
    }
    // Smaller questions get half of the time, where there is an end.
    let now = Instant::now();
    let half = job.deadline.map_or(now + SLICE, |deadline| now + deadline.saturating_duration_since(now) / 2);
    let open = violations(job, checks, if several { Some(half) } else { job.deadline }, (Some(input), unit))?;
    let Some(mut open) = open else { return Ok(()) };
    open.checks = if rest.is_empty() { open.checks } else { open.checks.without(harmless) };
    if open.checks.is_empty() {
        return Ok(());
    }
    if !several || job.is_over() {
        job.found.change().add(open);
        return Ok(());
    }
    let smaller = SMALLER.into_iter().map(|smaller| smaller.among(open.checks));
    let mut open: Vec<Part> = Vec::new();
    let mut smaller: Vec<Checks> = smaller.filter(|checks| !checks.is_empty()).collect();
    let mut slice = SLICE;
    while !smaller.is_empty() {
        open.clear();
        for (number, &checks) in smaller.iter().enumerate() {
            let now = Instant::now();
            let share = (smaller.len() - number) as u32;
            let deadline =
                job.deadline.map_or(now + slice, |deadline| now + deadline.saturating_duration_since(now) / share);
            open.extend(violations(job, checks, Some(deadline), (None, unit))?);
        }
        // Where there is no end, each is asked again with more time.
        let is_late = |part: &&Part| part.answer.document.reason == Some(StopReason::Timeout.to_string());
        match job.deadline.is_none() && !job.is_over() && open.iter().any(|part| is_late(&part)) {
            true => smaller = open.iter().filter(is_late).map(|part| part.checks).collect(),
            false => break,
        }
        slice *= 2;
    }
    open.into_iter().for_each(|part| job.found.change().add(part));
    Ok(())
}

/// Reads a program, or takes what was read of it.
fn read(source: &Source, unit: Option<&Unit>) -> Result<Input, Failure> {
    match unit {
        Some(unit) => Ok(Input::of_unit(Arc::new(unit.clone()), source.reading())?),
        None => source.read(),
    }
}

/// Finds all violations of some checks, and that the rest holds; gives what stays open.
fn violations(
    job: &Job,
    mut checks: Checks,
    deadline: Option<Instant>,
    (mut first, unit): (Option<Input>, Option<&Unit>),
) -> Result<Option<Part>, Failure> {
    let mut excused = Vec::new();
    while !checks.is_empty() {
        let source = narrowed(&job.source, checks, excused.clone());
        let input = first.take().map_or_else(|| read(&source, unit), Ok)?;
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
        let part = Part { checks: known, answer };
        if part.answer.status == Status::Unknown {
            return Ok(Some(part));
        }
        job.found.change().add(part);
    }
    Ok(None)
}

/// One answer of all: the worst first, the others in a line each.
fn together(mut parts: Vec<Part>, trivial: Checks) -> Answer {
    parts.sort_by_key(|part| (part.answer.status != Status::Unsafe, part.checks.iter().next()));
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
    let mut answer = parts.swap_remove(leads).answer;
    answer.certificate = Some(certificates).filter(|text| !text.is_empty());
    let above = answer.violated.map(|(check, _)| check);
    let page = Page::of_stdout();
    let table: String = lines.iter().map(|(check, line)| in_words(line, Some(*check) == above, page.width)).collect();
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
        ..CheckVerdict::default()
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
                    let (stories, annotations) =
                        (document.story.iter().cloned().collect(), document.annotations.clone());
                    free.insert(CheckVerdict { property, verdict, reason, also: Vec::new(), stories, annotations });
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
                    if new.is_some() {
                        known.stories.extend(document.story.iter().cloned());
                    }
                    known.also.extend(new);
                }
                Entry::Occupied(_) => {}
            }
        }
    }
    lines.into_iter().collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use braid_program::LowerOptions;
    use std::path::Path;

    fn answer(status: Status, verdict: &str, reason: Option<&str>) -> Answer {
        let mut document = Document::new("gem", "", Path::new("a.c"), LowerOptions::default());
        (document.verdict, document.reason) = (verdict.into(), reason.map(Into::into));
        Answer { text: String::new(), document, status, guide: None, violated: None, certificate: None, evidence: None }
    }

    /// Checks what is said when one question about three checks is open.
    fn check(every_place: bool, parts: Vec<Part>, expected: &[&str]) {
        check_beside(Checks::NONE, every_place, parts, expected);
    }

    /// The same, where some checks hold by the look of the program.
    fn check_beside(trivial: Checks, every_place: bool, parts: Vec<Part>, expected: &[&str]) {
        let found = Found(Mutex::new(Known { trivial, parts, violated: None }));
        let checks = Checks::of(Check::Assertion).with(Check::Race).with(Check::Deadlock);
        let rest = answer(Status::Unknown, "unknown", Some("timeout"));
        let said = found.without_the_rest(checks, every_place, rest).document;
        let line = |line: &CheckVerdict| {
            let rest: Vec<&str> = line.reason.iter().chain(&line.also).map(String::as_str).collect();
            [&[line.property.as_str(), line.verdict.as_str()][..], &rest].concat().join(" ")
        };
        let last = format!("{} ({})", said.verdict, said.reason.unwrap_or_default());
        let lines: Vec<String> = said.checks.iter().map(line).chain([last]).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn what_was_found_counts_though_one_question_is_open() {
        let parts = || {
            let violated = answer(Status::Unsafe, "unsafe", None);
            let holds = answer(Status::Safe, "safe", None);
            [(Check::Race, holds), (Check::Assertion, violated)]
                .map(|(check, answer)| Part { checks: Checks::of(check), answer })
                .into()
        };
        check(
            false,
            parts(),
            &["unreach-call unsafe", "no-deadlock unknown timeout", "no-data-race safe", "unsafe (unreach-call)"],
        );
        check(
            true,
            parts(),
            &[
                "unreach-call unsafe There may be more: timeout",
                "no-deadlock unknown timeout",
                "no-data-race safe",
                "unsafe (unreach-call)",
            ],
        );
        check(false, Vec::new(), &["unknown (timeout)"]);
        check_beside(
            Checks::of(Check::Deadlock),
            false,
            Vec::new(),
            &[
                "unreach-call unknown timeout",
                "no-deadlock safe",
                "no-data-race unknown timeout",
                "unknown (unreach-call, no-data-race)",
            ],
        );
    }
}
