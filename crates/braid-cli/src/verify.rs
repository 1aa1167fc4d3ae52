//! `braid verify` and its like: one thread works, the first one watches: the clock, interruptions, and the live line.
//!
//! The worker is asked to stop at the deadline or when interrupted. If it does not answer in time, the watcher answers
//! `unknown` without it.

use crate::arguments::{EngineName, Hyper, Lowering, Run, Verify};
use crate::document::{CReading, Document, Sizes, StoredExecution, Time};
use crate::exit::{Failure, Status};
use crate::input::Source;
use crate::judge::{Judge, Judgement, Look};
use crate::machine::{self, Beside};
use crate::members::{Shape, engines, last_resort, starts_tasks};
use crate::output::{self, Page};
use crate::progress::{LiveLine, so_far};
use crate::property::{is_property_file, property};
use crate::queries::Queries;
use crate::vacuity::{NO_END, Proven};
use crate::worker::Worker;
use crate::{commands, explain, input, runs, table, trace};
use braid_engines::gem::Gem;
use braid_engines::modular::Hierarchy;
use braid_engines::{Control, Portfolio, Progress, Reason, StopReason, Verdict, memory};
use braid_frontend::Externs;
use braid_logic::TermPool;
use braid_program::LowerOptions;
use braid_program::ast::Check;
use braid_program::ast::Checks;
use braid_reduction::OrderSpec;
use braid_run::Guide;
use nix::sys::signal::{SigSet, Signal};
use std::fs::{self, OpenOptions};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How long the worker may take to stop before the watcher answers without it.
const GRACE: Duration = Duration::from_millis(800);
/// The same for a worker that the user interrupts: all of it has to end within a second, and the system takes a while to get
/// gigabytes of memory back.
const SHORT_GRACE: Duration = Duration::from_millis(200);
/// How often the watcher looks up.
pub const TICK: Duration = Duration::from_millis(25);

/// What the worker needs, all of its own.
struct Job {
    source: Source,
    /// How the program is lowered; bounds that it does not set may grow.
    lowering: Lowering,
    checks: Checks,
    seed: u64,
    /// The order of threads that the user wants.
    hierarchy: Hierarchy,
    /// Who works on the program, by what is to be shown.
    engines: [Portfolio; 7],
    /// Who goes on where the bounds of lowering cannot be raised any more, if anybody does.
    last_resort: Option<Portfolio>,
    /// Who says whether a proof is about anything.
    gem: Gem,
    start: Instant,
    deadline: Option<Instant>,
    memory: u64,
    cancelled: Arc<AtomicBool>,
    progress: Sender<Progress>,
    page: Page,
    /// Is a guide wanted for the compiled program?
    guided: bool,
}

/// What is to be said.
pub struct Answer {
    /// For people, without the verdict.
    pub text: String,
    pub document: Document,
    pub status: Status,
    /// How to lead the compiled program to the same violation, if that is wanted.
    pub guide: Option<Guide>,
}

/// Runs `braid verify`.
pub fn verify(arguments: Verify, start: Instant) -> Result<Status, Failure> {
    let checks = property(&arguments.property)?;
    let mut reading = arguments.run.reading.reading(checks);
    if is_property_file(&arguments.property) {
        reading.externs.0.splice(0..0, Externs::of_competition().0);
    }
    let file = commands::first_file(arguments.file.as_deref(), &arguments.run.reading, &mut reading)?;
    run(arguments.run, Source::Program { file, reading }, checks, start)
}

/// Runs `braid hyper`.
pub fn hyper(arguments: Hyper, start: Instant) -> Result<Status, Failure> {
    let Hyper { file, property, function, run: options } = arguments;
    let reading = options.reading.reading(Checks::default());
    let request = crate::hyper::Request { file, property, function, reading };
    run(options, Source::Hyper(request), Checks::default(), start)
}

/// Is there a place for the result? It is better to know before the work than behind it.
fn can_be_written(path: &Path) -> Result<(), Failure> {
    if path == Path::new("-") {
        return Ok(());
    }
    let opened = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    let failed = |error| Failure::usage(format!("error: {} cannot be written: {error}", path.display()));
    opened.map(drop).map_err(failed)
}

/// Must the work end? Engines look at the memory themselves; reading and lowering do not.
fn reason_to_stop(cancelled: &AtomicBool, deadline: Option<Instant>, memory: u64) -> Option<StopReason> {
    if cancelled.load(Ordering::Relaxed) {
        Some(StopReason::Interrupted)
    } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        Some(StopReason::Timeout)
    } else {
        memory::resident().filter(|&used| used > memory).map(|_| StopReason::Memory)
    }
}

/// How long the worker may take to stop.
fn grace(reason: StopReason) -> Duration {
    if reason == StopReason::Interrupted { SHORT_GRACE } else { GRACE }
}

/// Verifies what comes from a source.
fn run(arguments: Run, source: Source, checks: Checks, start: Instant) -> Result<Status, Failure> {
    arguments.json.as_deref().map_or(Ok(()), can_be_written)?;
    if arguments.engine == EngineName::Run {
        return Err(Failure::usage("error: engine run is for `braid verify`: it runs one program"));
    }
    let engines = Shape::ALL.map(|shape| engines(&arguments, shape));
    let last_resort = last_resort(&arguments);
    let cancelled = cancelled_by_signals()?;
    let (progress, reports) = mpsc::channel();
    let job = Job {
        source,
        lowering: arguments.lowering,
        checks,
        seed: arguments.seed,
        hierarchy: arguments.modules.hierarchy.clone(),
        engines,
        last_resort,
        gem: arguments.sequentialization.gem(OrderSpec::Seq),
        start,
        deadline: arguments.timeout.and_then(|timeout| start.checked_add(timeout)),
        memory: arguments.memory,
        cancelled: cancelled.clone(),
        progress,
        page: Page::of_stdout(),
        guided: arguments.machine.confirm,
    };
    let file = job.source.file().to_owned();
    let (deadline, mut unanswered) = (job.deadline, job.document(start));
    let engine_name = arguments.engine.name();
    let is_program = matches!(job.source, Source::Program { .. });
    let mut beside = if is_program { Beside::start(&arguments, &file, checks, deadline)? } else { None };
    let worker = Worker::start(move || work(job))?;

    let (mut line, limit) = (LiveLine::new(start, arguments.quiet), arguments.memory);
    let mut last = Progress::default();
    let mut told_to_stop: Option<(Instant, StopReason)> = None;
    let mut answer = loop {
        match worker.result.recv_timeout(TICK) {
            Ok(result) => {
                let undecided = !matches!(&result, Ok(answer) if answer.status != Status::Unknown);
                let other = beside.as_mut().filter(|_| undecided).and_then(|beside| beside.wait(&cancelled));
                match (result, other) {
                    (Err(_), Some(other)) => break other,
                    (Ok(_), Some(other)) if other.status == Status::Unsafe => break other,
                    (result, _) => break result?,
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                line.erase();
                return Err(worker.panicked());
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Some(answer) = beside.as_mut().and_then(Beside::found) {
            break answer;
        }
        last = reports.try_iter().last().unwrap_or(last);
        line.draw(engine_name, last);
        if told_to_stop.is_none() {
            told_to_stop = reason_to_stop(&cancelled, deadline, limit).map(|reason| (Instant::now(), reason));
        }
        beside.iter().filter(|_| cancelled.load(Ordering::Relaxed)).for_each(Beside::stop);
        if let Some((_, reason)) = told_to_stop.filter(|(since, reason)| since.elapsed() >= grace(*reason)) {
            unanswered.reason = Some(reason.to_string());
            (unanswered.states, unanswered.rounds) = (last.states, last.round);
            break Answer { text: so_far(last), document: unanswered, status: Status::Unknown, guide: None };
        }
    };
    line.erase();
    drop(beside);
    if arguments.machine.confirm && answer.status == Status::Unsafe {
        machine::confirm_found(&mut answer, &file, (&arguments, checks), &cancelled);
    } else if answer.guide.is_none() && answer.status == Status::Unsafe && is_program && machine::is_c(&file) {
        answer.text += &machine::offer(&arguments, &file);
    }
    answer.document.time.total = start.elapsed().as_secs_f64();
    answer.document.memory_mb = memory::peak().map_or(0.0, |bytes| (bytes as f64 / 1e4).round() / 100.0);
    say(&arguments, &answer)?;
    Ok(answer.status)
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
    let mut failed = Ok(());
    match arguments.json.as_deref() {
        Some(path) if path == Path::new("-") => return output::print(&format!("{}\n{verdict}", json(false))),
        Some(path) => {
            failed = fs::write(path, json(true) + "\n").map_err(|error| Failure {
                status: Status::Output,
                message: format!("{} cannot be written: {error}", path.display()),
            });
        }
        None => {}
    }
    let text = if arguments.quiet { "" } else { answer.text.as_str() };
    output::print(&format!("{text}{verdict}"))?;
    failed
}

/// A flag that the first Ctrl-C (or request to terminate) sets; the second one ends the process.
///
/// There is no handler: Z3 replaces handlers while a query runs, and would keep the signal to itself. All threads that are
/// started later have the signals blocked, and one waits for them.
pub fn cancelled_by_signals() -> Result<Arc<AtomicBool>, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::internal(&format!("no signals: {error}"));
    let mut signals = SigSet::empty();
    [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter().for_each(|signal| signals.add(signal));
    signals.thread_block().map_err(|error| failed(&error))?;
    let flag = Arc::new(AtomicBool::new(false));
    let set = flag.clone();
    let wait = move || {
        while signals.wait().is_ok() {
            if set.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        }
    };
    thread::Builder::new().name("signals".into()).spawn(wait).map_err(|error| failed(&error))?;
    Ok(flag)
}

impl Job {
    /// A document without an answer.
    fn document(&self, start: Instant) -> Document {
        let first = &self.engines[0].members[0];
        let property = self.source.property();
        Document {
            order: first.order.clone(),
            time: Time { total: start.elapsed().as_secs_f64(), ..Time::default() },
            ..Document::new(first.engine.name(), &property, self.source.file(), self.lowering)
        }
    }
}

/// All the work, in the worker's thread.
fn work(job: Job) -> Result<Answer, Failure> {
    // What lowering makes is the same in every pool that held nothing before.
    let [pool, second_pool, last_pool] = [(); 3].map(|()| TermPool::new());
    let mut input = job.source.read()?;
    let first = LowerOptions::from(job.lowering);
    let mut program = input::automata(&input.program, &pool, first)?;
    if let Some(name) = job.hierarchy.unknown_name(&program) {
        let names: Vec<&str> = program.threads.iter().map(|thread| thread.name.as_str()).collect();
        let message = format!("error: there is no thread {name} to put into the hierarchy\nhint: the threads are");
        return Err(Failure::usage(format!("{message} {}", names.join(", "))));
    }
    let mut document = job.document(job.start);
    document.time.frontend = job.start.elapsed().as_secs_f64();
    // What C calls threads switches anywhere.
    let shape = Shape::of(&program, input.representation.is_none() && starts_tasks(&input.program));
    let judge = Judge {
        engines: &job.engines[shape as usize],
        last_resort: job.last_resort.as_ref().filter(|_| shape.has_tasks()),
        lowering: job.lowering,
        hurried: job.deadline.is_some(),
        seed: job.seed,
        control: Control::new()
            .cancelled_by(job.cancelled)
            .until(job.deadline)
            .memory_limit(Some(job.memory))
            .reporting_to(job.progress),
    };
    let (judgement, look) = judge.judge_twice(&job.source, &mut input, &program, &second_pool)?;
    let Judgement { mut verdict, statistics, engine, order, lowering, excluded } = judgement;
    document.dismissed = u64::from(matches!(look, Look::Dismissed));
    if let Look::Confirmed(defined) = look {
        program = defined;
    } else if lowering != first || input.defined {
        program = input::automata(&input.program, &last_pool, lowering)?;
    }
    if let Some(used) = &input.representation {
        document.c = Some(CReading::new(used, job.source.reading(), input.defined));
        document.assumptions = used.assumptions.iter().map(|assumption| assumption.to_string()).collect();
    }
    document.hyper = input.product.as_ref().map(|product| product.stored());
    document.lowering = lowering.into();
    document.threads = program.threads.len() as u64;
    document.size = Sizes { before: program.size_before.into(), after: program.size().into() };
    document.engine = engine;
    document.order = order;
    if let Verdict::Unsafe(counterexample) = verdict {
        // It was found in a pool of the engine's own. What is shown is what replays here.
        verdict = Verdict::from_execution(&program, counterexample.execution().clone());
    }
    document.set_statistics(&statistics);

    let mut guide = None;
    let (text, status) = match verdict {
        Verdict::Safe(proof) => {
            if input.product.is_none() {
                let (checks, deadline, memory) = (job.checks, job.deadline, job.memory);
                let (structured, gem, took) = (&input.program, &job.gem, job.start.elapsed());
                let program = &program;
                let proven = Proven { structured, program, lowering, checks, gem, took, deadline, memory };
                document.notes = proven.notes();
                document.time.notes = (job.start.elapsed() - took).as_secs_f64();
            }
            // Where nothing is left without undefined behaviour, compilers may well give it the meaning that breaks the claim.
            let misleads = |used| job.checks.contains(Check::Assertion) && !judge.holds_anyhow(&job.source, used);
            let nothing_left = document.notes.first().filter(|note| input.defined && note.starts_with(NO_END));
            match nothing_left.filter(|_| input.representation.as_ref().is_some_and(misleads)) {
                Some(note) => {
                    document.reason = Some(format!("without undefined behaviour, {note}"));
                    document.notes.clear();
                    ("The claim is violated only behind undefined behaviour.\n".to_owned(), Status::Unknown)
                }
                None => {
                    document.verdict = "safe".into();
                    document.set_proof(&proof);
                    (explain::proof(&program, &proof), Status::Safe)
                }
            }
        }
        Verdict::Unsafe(counterexample) => {
            document.verdict = "unsafe".into();
            let mut trace = trace::trace(&program, &counterexample, job.checks.contains(Check::Race));
            let side_by_side = input.product.map(|product| {
                trace.violation = format!("The runs violate {}.", product.formula);
                runs::runs(&program, &counterexample, &product.columns)
            });
            let structured = Some(&input.program).filter(|_| job.checks.contains(Check::Race));
            guide = job.guided.then(|| machine::guide(&program, structured, &counterexample, job.source.file()));
            document.counterexample = Some(StoredExecution::new(&program, &counterexample, &trace));
            let mut text = table::render(&program, &trace, job.page);
            if let (Some(runs), Some(hyper)) = (side_by_side, &mut document.hyper) {
                text.push('\n');
                text.push_str(&runs::render(&runs));
                hyper.runs = runs;
            }
            (text, Status::Unsafe)
        }
        Verdict::Unknown(reason) => {
            let states = statistics.states;
            let text = match &reason {
                Reason::Internal(_) => "This is a fault of Braid, please report it.\n".to_owned(),
                _ if statistics.rounds > 0 => format!(
                    "No violation was found: round {}, {} assertions, {states} states, {} solver queries.\n",
                    statistics.rounds, statistics.proof_size, statistics.smt_queries
                ),
                _ => format!("No violation in the {states} states that were visited.\n"),
            };
            let excluded = excluded.map(|below: LowerOptions| {
                format!("; nothing is violated with {} instances and {} nested calls", below.instances, below.recursion)
            });
            let places = program.places_not_modelled().into_iter();
            let note = |(span, why)| format!("not modelled at {}: {why}", trace::place(&program, span));
            document.notes.extend(places.map(note));
            document.reason = Some(reason.to_string() + &excluded.unwrap_or_default());
            (text, Status::Unknown)
        }
    };
    let queries = document.queries.as_ref().map(Queries::sentence).unwrap_or_default();
    let text = text + &queries + &document.size.sentence(document.threads);
    let mut text = match &document.c {
        Some(CReading { data_model, ints, .. }) => format!("{text}C with {data_model}, integers as {ints}.\n"),
        None => text,
    };
    let depends = document.counterexample.iter().flat_map(|counterexample| &counterexample.depends_on);
    depends.for_each(|on| text += &format!("depends on: {on}\n"));
    document.notes.iter().for_each(|note| text += &format!("note: {note}\n"));
    if !document.assumptions.is_empty() {
        text += &format!("assumed: {}\n", document.assumptions.join("; "));
    }
    Ok(Answer { text, document, status, guide })
}
