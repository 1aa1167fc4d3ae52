//! `braid verify` and its like: one thread works, the first one watches: the clock, interruptions, and the live line.
//!
//! The worker is asked to stop at the deadline or when interrupted. If it does not answer in time, the watcher answers
//! without it: with what was found of other properties, and `unknown`.

use crate::all::Found;
use crate::answer::NOT_MODELLED;
use crate::arguments::{CertificateForm, EngineName, Hyper, Run, Telling, Verify};
use crate::document::{Document, Time};
use crate::exit::{Failure, Status};
use crate::formats::Formats;
use crate::input::Source;
use crate::machine::{Beside, Lead};
use crate::output::{self, Page};
use crate::progress::{History, LiveLine, so_far};
use crate::signals::cancelled_by_signals;
use crate::watch::{Ended, Watch};
use crate::witness::{self, Evidence, Metadata, Witnessing};
use crate::worker::Worker;
use crate::{all, certificate, commands, explain, machine, property, report, version};
use braid_engines::strategy::{Shape, Strategy};
use braid_engines::{Progress, StopReason, memory};
use braid_frontend::Externs;
use braid_logic::Backend;
use braid_program::ast::Check;
use braid_program::ast::Checks;
use braid_program::source::Span;
use std::fs::{self, OpenOptions};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::time::Instant;

/// What the worker needs, all of its own.
pub struct Job {
    pub source: Source,
    pub checks: Checks,
    /// Who works on the program, and within which bounds.
    pub strategy: Strategy,
    pub start: Instant,
    pub deadline: Option<Instant>,
    pub memory: u64,
    /// Must engines stop? The user may want that, or one question has failed.
    pub cancelled: Arc<AtomicBool>,
    pub progress: Sender<Progress>,
    pub page: Page,
    /// Are all steps of an execution told?
    pub full: bool,
    /// Is it wanted what a proof says of places in the program?
    pub annotated: bool,
    /// Is every place wanted where something is wrong?
    pub all: bool,
    /// Is a guide wanted for the compiled program?
    pub guided: bool,
    /// Is a certificate wanted, and in which form?
    pub certified: Option<CertificateForm>,
    /// What is known so far, of several properties.
    pub found: Arc<Found>,
    /// Is a witness wanted?
    pub witnessed: bool,
}

/// What is to be said.
pub struct Answer {
    /// For people, without the verdict.
    pub text: String,
    pub document: Document,
    pub status: Status,
    /// How to lead the compiled program to the same violation, if that is wanted; or that nothing leads there.
    pub guide: Option<Lead>,
    /// What is violated, and where.
    pub violated: Option<(Check, Span)>,
    /// Why what is safe is safe, as text, if that is wanted and can be said.
    pub certificate: Option<String>,
    /// What there is to put into a witness, if one is wanted.
    pub evidence: Option<Evidence>,
}

impl Answer {
    /// Nothing is known.
    fn undecided(text: String, document: Document) -> Answer {
        Answer {
            text,
            document,
            status: Status::Unknown,
            guide: None,
            violated: None,
            certificate: None,
            evidence: None,
        }
    }
}

/// What is asked, and of which program.
pub fn asked(arguments: &Verify) -> Result<(Source, Checks), Failure> {
    let is_c = arguments.file.as_deref().is_none_or(machine::is_c);
    let named = arguments.property.as_deref();
    let checks = named.map_or(Ok(if is_c { property::EVERYTHING } else { Checks::default() }), property::property)?;
    let mut reading = arguments.run.reading.reading(checks);
    if arguments.competition || named.is_some_and(property::is_property_file) {
        reading.externs.0.splice(0..0, Externs::of_competition().0);
    }
    let file = commands::first_file(arguments.file.as_deref(), &arguments.run.reading, &mut reading)?;
    if arguments.witnessing.witness.is_some() && file == Path::new("-") {
        return Err(Failure::usage("error: a witness names the program's file: standard input has no name"));
    }
    Ok((Source::Program { file, reading }, checks))
}

/// Runs `braid verify`.
pub fn verify(arguments: Verify, start: Instant) -> Result<Status, Failure> {
    let (source, checks) = asked(&arguments)?;
    if source.file() == Path::new("-") && io::stdin().is_terminal() {
        eprintln!("reading a C program from the terminal: end it with Ctrl-D");
    }
    let told = Told { witnessing: arguments.witnessing, formats: arguments.formats, svcomp: arguments.svcomp };
    run(arguments.run, (source, told), checks, start)
}

/// What is wanted beside the verdict.
#[derive(Default)]
struct Told {
    witnessing: Witnessing,
    formats: Formats,
    svcomp: bool,
}

/// Runs `braid hyper`.
pub fn hyper(arguments: Hyper, start: Instant) -> Result<Status, Failure> {
    let Hyper { file, property, function, run: options } = arguments;
    let reading = options.reading.reading(Checks::default());
    let request = crate::hyper::Request { file, property, function, reading };
    run(options, (Source::Hyper(request), Told::default()), Checks::default(), start)
}

/// Is there a place for the result? It is better to know before the work than behind it.
pub fn can_be_written(path: &Path) -> Result<(), Failure> {
    if path == Path::new("-") {
        return Ok(());
    }
    let opened = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    let failed = |error| Failure::usage(format!("error: {} cannot be written: {error}", path.display()));
    opened.map(drop).map_err(failed)
}

/// Verifies what comes from a source.
fn run(arguments: Run, (source, told): (Source, Told), checks: Checks, start: Instant) -> Result<Status, Failure> {
    let written = [&arguments.json, &arguments.report, &arguments.certificate, &told.witnessing.witness];
    written.into_iter().flatten().chain(told.formats.files()).try_for_each(|path| can_be_written(path))?;
    arguments.horn.begin(arguments.engine, checks)?;
    let (file, files) = (source.file().to_owned(), source.files());
    let asker = Asker { witnessed: told.witnessing.witness.is_some(), ..Asker::terminal(start)? };
    let mut answer = decide_for(asker, &arguments, source, checks)
        .inspect_err(|failure| told.formats.write_failure(checks, &file, failure))
        .inspect_err(|failure| report::write_failure(arguments.report.as_deref(), &file, failure))?;
    told.write(&mut answer, checks, &files)?;
    told.formats.write(checks, &answer.document)?;
    if arguments.explain {
        answer.text += &explain::annotated(&answer.document, Page::of_stdout());
    }
    let written = certificate::write(arguments.certificate.as_deref(), &mut answer);
    say(&arguments, &answer)?;
    arguments.horn.end()?;
    if told.svcomp {
        output::print(&format!("{}\n", property::competition_answer(&answer)))?;
    }
    written.map(|()| answer.status)
}

/// Who waits for an answer.
pub struct Asker {
    pub start: Instant,
    /// Who may set this flag, to be answered soon.
    pub interrupted: Arc<AtomicBool>,
    /// How the answer is laid out.
    pub page: Page,
    /// Is evidence for a witness wanted?
    pub witnessed: bool,
}

impl Asker {
    /// The user of this process, who interrupts it with Ctrl-C.
    fn terminal(start: Instant) -> Result<Asker, Failure> {
        Ok(Asker { start, interrupted: cancelled_by_signals()?, page: Page::of_stdout(), witnessed: false })
    }
}

/// The answer to what is asked of a source, without a word.
pub fn decide(arguments: &Run, source: Source, checks: Checks, start: Instant) -> Result<Answer, Failure> {
    decide_for(Asker::terminal(start)?, arguments, source, checks)
}

/// The same, whoever asks.
pub fn decide_for(asker: Asker, arguments: &Run, source: Source, checks: Checks) -> Result<Answer, Failure> {
    if arguments.engine == EngineName::Run {
        return Err(Failure::usage("error: engine run is for `braid verify`: it runs one program"));
    }
    let Asker { start, interrupted, page, witnessed } = asker;
    let cancelled = Arc::new(AtomicBool::new(false));
    let (progress, reports) = mpsc::channel();
    let job = Job {
        source,
        checks,
        strategy: arguments.strategy(),
        start,
        deadline: arguments.timeout.and_then(|timeout| start.checked_add(timeout)),
        memory: arguments.memory,
        cancelled: cancelled.clone(),
        progress,
        page,
        full: arguments.trace == Telling::Full,
        annotated: arguments.explain || arguments.report.is_some(),
        all: arguments.all,
        guided: arguments.machine.confirm,
        certified: arguments.certificate.as_ref().map(|_| arguments.certificate_as),
        found: Arc::default(),
        witnessed,
    };
    let found = job.found.clone();
    let file = job.source.file().to_owned();
    let (deadline, mut unanswered) = (job.deadline, job.document(start));
    let is_program = matches!(job.source, Source::Program { .. });
    if interrupted.load(Ordering::Relaxed) {
        unanswered.reason = Some(StopReason::Interrupted.to_string());
        return Ok(Answer::undecided(String::new(), unanswered));
    }
    let beside = if is_program { Beside::start(arguments, &file, checks, deadline)? } else { None };
    let watch = Watch {
        worker: Worker::start(move || all::work(&job))?,
        beside,
        interrupted: interrupted.clone(),
        cancelled,
        start,
        deadline,
        enough: (deadline.is_none() && !arguments.all).then(|| found.clone()),
        memory: arguments.memory,
        line: LiveLine::new(start, arguments.quiet),
        engine: format!("{:?}", arguments.engine).to_lowercase(),
        last: Progress::default(),
        history: History::new(start),
    };
    let (ended, last, history) = watch.until_answered(&reports)?;
    let mut answer = match ended {
        Ended::Answered(answer) => *answer,
        Ended::Stopped(reason) => {
            unanswered.reason = Some(reason);
            (unanswered.states, unanswered.rounds) = (last.states, last.round);
            let rest = Answer::undecided(so_far(&last), unanswered);
            found.without_the_rest(checks, arguments.all, rest)
        }
    };
    if is_program && machine::is_c(&file) {
        answer.document.unchecked = property::unchecked(checks).map(|check| check.name().to_owned()).collect();
        answer.text += &property::not_checked(checks);
    }
    if is_program {
        confirmed(&mut answer, &file, (arguments, checks), &interrupted);
    }
    answer.document.progress = history.moments();
    answer.document.time.total = start.elapsed().as_secs_f64();
    answer.document.memory_mb = memory::peak().map_or(0.0, |bytes| (bytes as f64 / 1e4).round() / 100.0);
    Ok(answer)
}

/// Has the compiled program do the same, or says how that is done.
fn confirmed(answer: &mut Answer, file: &Path, (arguments, checks): (&Run, Checks), interrupted: &Arc<AtomicBool>) {
    if arguments.machine.confirm && answer.status == Status::Unsafe {
        let violated = answer.violated.map_or(checks, |(check, _)| Checks::of(check));
        machine::confirm_found(answer, file, (arguments, violated), interrupted);
    } else if answer.guide.is_none() && answer.status == Status::Unsafe && machine::is_c(file) {
        answer.text += &machine::offer(arguments, file);
    } else if answer.status == Status::Unknown
        && answer.document.notes.iter().any(|note| note.starts_with(NOT_MODELLED))
    {
        answer.text += &machine::offer_search(file);
    }
}

impl Told {
    /// Writes the witness, or says why there is none. A file that an earlier run has left does not stay.
    fn write(&self, answer: &mut Answer, checks: Checks, files: &[String]) -> Result<(), Failure> {
        let Some(path) = &self.witnessing.witness else { return Ok(()) };
        let checks = answer.violated.map_or(checks, |(check, _)| Checks::of(check));
        let model = answer.document.c.as_ref().map(|c| c.data_model.clone()).unwrap_or_default();
        match &answer.evidence {
            Some(evidence) if !property::formulas(checks).is_empty() => {
                witness::write(&self.witnessing, evidence, &Metadata::new(files, checks, &model)?)
            }
            _ => {
                if answer.status != Status::Unknown {
                    let why = "its format has no words for this property or this program";
                    answer.text += &format!("note: there is no witness: {why}\n");
                }
                fs::remove_file(path).map_err(|error| Failure {
                    status: Status::Output,
                    message: format!("{} cannot be removed: {error}", path.display()),
                })
            }
        }
    }
}

/// Writes the answer where it is wanted; the verdict is the last line.
pub fn say(arguments: &Run, answer: &Answer) -> Result<(), Failure> {
    let document = &answer.document;
    let verdict = match &document.reason {
        Some(reason) => format!("verdict: {} ({reason})\n", document.verdict),
        None => format!("verdict: {}\n", document.verdict),
    };
    let json = |pretty: bool| {
        let text = if pretty { serde_json::to_string_pretty(document) } else { serde_json::to_string(document) };
        text.expect("documents hold nothing that JSON cannot")
    };
    let mut failed = report::write(arguments.report.as_deref(), document);
    match arguments.json.as_deref() {
        Some(path) if path == Path::new("-") => {
            return output::print(&format!("{}\n{verdict}", json(false))).and(failed);
        }
        Some(path) => {
            let written = fs::write(path, json(true) + "\n").map_err(|error| Failure {
                status: Status::Output,
                message: format!("{} cannot be written: {error}", path.display()),
            });
            failed = failed.and(written);
        }
        None => {}
    }
    let text = if arguments.quiet { "" } else { answer.text.as_str() };
    output::print(&format!("{text}{verdict}"))?;
    failed
}

impl Job {
    /// A document without an answer.
    fn document(&self, start: Instant) -> Document {
        self.document_of(&self.source, start)
    }

    /// The same, about one way to read the program.
    pub fn document_of(&self, source: &Source, start: Instant) -> Document {
        let first = &self.strategy.settings.portfolio(Shape::Postcondition).members[0];
        let property = source.property();
        Document {
            order: first.order.clone(),
            solver: match &self.strategy.settings.gem.solver.backend {
                Backend::Z3 => version::solver(),
                Backend::Process(command) => command.clone(),
            },
            time: Time { total: start.elapsed().as_secs_f64(), ..Time::default() },
            ..Document::new(first.engine.name(), &property, self.source.file(), self.strategy.bounds)
        }
    }
}
