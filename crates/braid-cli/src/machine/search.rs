//! Engine `run`: compiles the program, and looks for a run that violates the property.

use super::model;
use super::options::run_property;
use super::story::{Story, story, violates};
use crate::arguments::Verify;
use crate::document::{CReading, Document, RunFigures};
use crate::exit::{Failure, Status};
use crate::signals::cancelled_by_signals;
use crate::verify::{Answer, can_be_written, say};
use crate::worker::Worker;
use crate::{property, report};
use braid_frontend::{Language, Reading};
use braid_program::ast::Checks;
use braid_run::{Compiled, End, Error, Limits, Property, Report, Scratch, Search, Sources, Start, Watch};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Seconds for a search, if the user says nothing.
const SECONDS: f64 = 60.0;
/// Steps of a run at first; they become more where runs do not end.
pub const STEPS: u64 = 20_000;

/// What engine `run` is asked for.
pub struct Request {
    pub file: PathBuf,
    pub sources: Sources,
    pub property: Property,
    pub start: Start,
    /// Only schedules at random?
    pub random: bool,
    pub deadline: Option<Instant>,
    pub cancelled: Arc<AtomicBool>,
    /// How the program is read elsewhere.
    pub reading: Reading,
}

/// What came of it.
pub struct Outcome {
    pub status: Status,
    pub text: String,
    pub reason: Option<String>,
    pub story: Option<Story>,
    pub figures: RunFigures,
    /// What the compiler was told.
    pub c: CReading,
    pub assumptions: Vec<String>,
}

/// Runs `braid verify --engine run`.
pub fn verify(arguments: Verify, start: Instant) -> Result<Status, Failure> {
    let asked = run_property(arguments.property.as_deref().unwrap_or("unreach-call"))?;
    let property = asked.map_err(|why| Failure::usage(format!("error: engine run: {}", why.clause())))?;
    if arguments.witnessing.witness.is_some() || arguments.svcomp {
        return Err(Failure::usage("error: engine run has no --witness and no --svcomp: choose another engine"));
    }
    let options = arguments.run;
    let mut reading = options.reading.reading(Checks::default());
    let file = crate::commands::first_file(arguments.file.as_deref(), &options.reading, &mut reading)?;
    if !is_c(&file) {
        return Err(Failure::usage(format!("error: {}: engine run is for C programs", file.display())));
    }
    if !file.is_file() {
        return Err(Failure::rejected(format!("{}: there is no such file", file.display())));
    }
    let cancelled = cancelled_by_signals()?;
    let request = Request {
        file: file.clone(),
        sources: options.machine.sources(&file, &options.reading, property),
        property,
        start: Start { seed: options.machine.seed, runs: options.machine.schedules, steps: STEPS },
        random: options.machine.random_schedules,
        deadline: options.timeout.and_then(|timeout| start.checked_add(timeout)),
        cancelled,
        reading: options.reading.reading(Checks::default()),
    };
    let checks = arguments.property.as_deref().map_or(Ok(Checks::default()), property::property).unwrap_or_default();
    let formats = arguments.formats;
    formats.files().chain(&options.report).try_for_each(|path| can_be_written(path))?;
    let outcome = Worker::start(move || request.answer())?
        .finish()
        .inspect_err(|failure| formats.write_failure(checks, &file, failure))
        .inspect_err(|failure| report::write_failure(options.report.as_deref(), &file, failure))?;
    let mut answer = outcome.answer(Document {
        seed: Some(options.machine.seed),
        ..Document::new("run", &property.name(), &file, options.lowering)
    });
    answer.document.time.total = start.elapsed().as_secs_f64();
    formats.write(checks, &answer.document)?;
    say(&options, &answer)?;
    Ok(answer.status)
}

impl Outcome {
    /// What is to be said, in a document that has no answer yet.
    pub fn answer(self, mut document: Document) -> Answer {
        document.verdict = if self.status == Status::Unsafe { "unsafe".into() } else { "unknown".into() };
        document.reason = self.reason;
        document.threads = self.figures.threads;
        document.run = Some(self.figures);
        document.assumptions = self.assumptions;
        document.c = Some(self.c);
        document.counterexample = self.story.map(Story::stored);
        let Outcome { text, status, .. } = self;
        Answer { text, document, status, guide: None, violated: None, certificate: None, evidence: None }
    }
}

impl Request {
    fn stopped(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn seconds_left(&self) -> f64 {
        // Some time is left for the report.
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        left.map_or(SECONDS, |left| left.saturating_sub(Duration::from_millis(400)).as_secs_f64()).max(0.05)
    }

    /// Watches one thing after the other until a violation is found. Where there is only one thread, the first sees all.
    pub fn answer(&self) -> Result<Outcome, Failure> {
        let watches = self.property.watches();
        for (number, &watch) in watches.iter().enumerate() {
            let is_last = number + 1 == watches.len();
            let seconds = if is_last { self.seconds_left() } else { self.seconds_left() / 2.0 };
            let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            match self.watching(watch, seconds) {
                Ok(outcome) if is_last || outcome.status == Status::Unsafe || outcome.figures.threads == 1 => {
                    return Ok(outcome);
                }
                Ok(outcome) if late || self.stopped() => return Ok(outcome),
                Err(failure) if is_last => return Err(failure),
                Ok(_) | Err(_) => {}
            }
        }
        Ok(self.not_compiled())
    }

    /// Compiles, searches, and repeats what was found.
    fn watching(&self, watch: Watch, seconds: f64) -> Result<Outcome, Failure> {
        let failure = |error: Error| match error {
            Error::Rejected(said) => {
                Failure::rejected(format!("{}: the C compiler says:\n{said}", self.file.display()))
            }
            Error::NoCompiler(why) => Failure::rejected(format!("error: the C compiler cannot be started: {why}")),
            other => Failure::internal(&other.to_string()),
        };
        let scratch =
            Scratch::new().map_err(|error| Failure::rejected(format!("error: no scratch folder: {error}")))?;
        let stopped = || self.stopped();
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let sources = Sources { watch, ..self.sources.clone() };
        let compiled = match sources.compile(scratch, &|| stopped() || late()) {
            Ok(compiled) => compiled,
            Err(Error::Stopped) => return Ok(self.not_compiled()),
            Err(error) => return Err(failure(error)),
        };
        let limits = Limits { seconds, stopped: &stopped };
        let searched = match self.random {
            true => compiled.shake(self.property, self.start, &limits),
            false => compiled.search(self.property, self.start, &limits),
        };
        let report = match searched {
            Ok(report) if report.stopped => {
                let reason = if self.stopped() { "interrupted" } else { "timeout" };
                return Ok(self.unknown(reason, &compiled, &report));
            }
            Ok(report) => report,
            Err(Error::Stopped) => return Ok(self.unknown("interrupted", &compiled, &Report::default())),
            Err(error) => return Err(failure(error)),
        };
        let search = report.search.clone().unwrap_or_default();
        if !search.found {
            let reason = if search.runs >= self.start.runs {
                "no bug in the schedules that were tried"
            } else {
                "no bug was found"
            };
            return Ok(self.unknown(reason, &compiled, &report));
        }
        let limits = Limits { seconds: 60.0, stopped: &stopped };
        let again = compiled.replay(self.property, &report.schedule(), &limits).map_err(failure)?;
        if !violates(self.property, &again) {
            return Ok(self.unknown("a run violated the property, but not when it was repeated", &compiled, &report));
        }
        if self.is_elsewhere(&again) {
            return Ok(self.unknown(&format!("a run violates the property, but {}", model::APART), &compiled, &report));
        }
        let story = story(&compiled, &again, &self.file);
        let mut figures = figures(&compiled, &search);
        figures.switches = again.switches.iter().map(|switch| (switch.step, switch.thread)).collect();
        figures.room = again.room;
        figures.inputs = again.inputs.iter().map(|input| input.value).collect();
        let assumptions = self.assumptions();
        let assumed: String = assumptions.iter().map(|line| format!("assumed: {line}\n")).collect();
        let text = format!("{}Found in run {} of the compiled program.\n{assumed}", story.render(), search.runs);
        Ok(Outcome {
            status: Status::Unsafe,
            text,
            reason: None,
            story: Some(story),
            figures,
            c: self.told(),
            assumptions,
        })
    }

    /// Does a run say nothing about the program, because it is one for another machine? Where the user says that it is, the data
    /// model must not matter. Otherwise it is a guess, and only runs count that have nothing else to go by.
    fn is_elsewhere(&self, run: &Report) -> bool {
        if !model::is_other(&self.file, &self.reading) {
            return false;
        }
        let is_said = self.reading.data_model.is_some();
        let is_fixed = run.threads.len() < 2 && run.inputs.iter().all(|input| input.name.starts_with('-'));
        (is_said || is_fixed) && model::matters(&self.file, &self.reading).unwrap_or(is_said)
    }

    /// What an execution on this machine relies on: Braid reads some programs as written for another one.
    fn assumptions(&self) -> Vec<String> {
        let line = "the machine is LP64, though programs of this kind are otherwise read as ILP32";
        if model::is_other(&self.file, &self.reading) { vec![line.to_owned()] } else { Vec::new() }
    }

    fn told(&self) -> CReading {
        let (include, define) = (self.sources.include.clone(), self.sources.define.clone());
        // The compiler works for this machine, whatever the program was written for.
        CReading { data_model: "LP64".into(), include, define, ..CReading::default() }
    }

    /// The answer if there was no time to compile the program.
    fn not_compiled(&self) -> Outcome {
        let reason = if self.stopped() { "interrupted" } else { "timeout" };
        Outcome {
            status: Status::Unknown,
            text: "The program was still being compiled.\n".into(),
            reason: Some(reason.into()),
            story: None,
            figures: RunFigures::default(),
            c: self.told(),
            assumptions: Vec::new(),
        }
    }

    fn unknown(&self, reason: &str, compiled: &Compiled, report: &Report) -> Outcome {
        let search = report.search.clone().unwrap_or_default();
        let figures = figures(compiled, &search);
        let tried = format!(
            "{} schedules were tried, {} of them different; {} of {} blocks of code were covered",
            search.runs, search.different, figures.covered, figures.blocks
        );
        let none = if search.found { "" } else { "No run of the compiled program violates the property. " };
        let mut text = format!("{none}{tried}.\n");
        let told = report.asides.iter().filter(|(end, _, _)| is_remarkable(*end));
        let told: Vec<&(End, String, u64)> = told.collect();
        let places = compiled.places(&told.iter().map(|(_, _, pc)| *pc).collect::<Vec<_>>());
        for (end, said, pc) in told {
            let count = search.ends.get(end).copied().unwrap_or(0);
            let place =
                places.get(pc).map(|place| format!(" at {}:{}", place.file_name(), place.line)).unwrap_or_default();
            text += &format!("note: {count} of the runs {}{place}{}\n", ended(*end), detail(said));
        }
        if search.tainted > 0 {
            text += &format!("note: {} runs violate the property, but only after a signed overflow\n", search.tainted);
        }
        let (reason, c) = (Some(format!("{reason}; {tried}")), self.told());
        Outcome { status: Status::Unknown, text, reason, story: None, figures, c, assumptions: Vec::new() }
    }
}

fn detail(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(": {said}") }
}

/// Would people want to know, whatever they asked for?
fn is_remarkable(end: End) -> bool {
    !matches!(end, End::Finished | End::Abandoned | End::Exited | End::Lost)
}

fn ended(end: End) -> &'static str {
    match end {
        End::Failed => "failed an assertion",
        End::Raced => "had a data race",
        End::Overflowed => "had a signed overflow",
        End::Misfreed => "freed what is no block (`--property valid-free`)",
        End::Undefined => "had an operation without a meaning (`--property no-undefined`)",
        End::Leaked => "left a block at the end",
        End::Crashed => "crashed (`--property no-crash`)",
        End::Invalid => "accessed memory that is not there (`--property valid-deref`)",
        End::Deadlocked => "deadlocked (`--property no-deadlock`)",
        End::Endless => "did not end in time",
        End::Exhausted => "needed more threads or locks than there are",
        End::Finished | End::Exited | End::Abandoned | End::Lost => "ended",
    }
}

fn figures(compiled: &Compiled, search: &Search) -> RunFigures {
    RunFigures {
        schedules: search.runs,
        different: search.different,
        steps: search.steps,
        deviations: search.level,
        covered: search.covered,
        blocks: compiled.blocks as u64,
        threads: search.threads,
        outside: compiled.outside.clone(),
        room: 0,
        switches: Vec::new(),
        inputs: Vec::new(),
    }
}

/// A file that the C compiler gets.
pub fn is_c(file: &Path) -> bool {
    matches!(Language::from_extension(file), Ok(Language::C | Language::PreprocessedC))
}
