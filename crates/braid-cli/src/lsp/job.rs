//! A verification in another process, which can be ended at any time.

use super::Event;
use crate::document::Document;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::ffi::OsString;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

/// How often it is looked whether the process has ended, or must.
const TICK: Duration = Duration::from_millis(10);
/// How long a process may take to end when it is asked to.
const GRACE: Duration = Duration::from_secs(1);
/// How long a process may take beyond its own time limit.
const BEYOND: Duration = Duration::from_secs(5);

/// What is to be verified.
pub struct Request {
    pub number: u64,
    pub file: PathBuf,
    pub arguments: Vec<OsString>,
    /// Where the process works.
    pub folder: PathBuf,
    pub limit: Duration,
}

/// A verification that goes on.
pub struct Job {
    pub number: u64,
    cancelled: Arc<AtomicBool>,
}

/// A verification that has ended.
pub struct Finished {
    pub number: u64,
    pub file: PathBuf,
    pub outcome: Outcome,
}

/// What came of it.
pub enum Outcome {
    Answered(Box<Document>),
    /// The input is wrong: what the process said about it.
    Rejected(String),
    /// There is no answer: why.
    Failed(String),
    Cancelled,
}

impl Job {
    /// Starts a verification. Its end is an event.
    pub fn start(request: Request, events: Sender<Event>) -> Job {
        let cancelled = Arc::new(AtomicBool::new(false));
        let job = Job { number: request.number, cancelled: cancelled.clone() };
        let unstarted = (request.number, request.file.clone(), events.clone());
        let body = move || {
            let outcome = run(&request, &cancelled).unwrap_or_else(Outcome::Failed);
            let _ = events.send(Event::Finished(Finished { number: request.number, file: request.file, outcome }));
        };
        if let Err(error) = thread::Builder::new().name("job".into()).spawn(body) {
            let (number, file, events) = unstarted;
            let outcome = Outcome::Failed(format!("no thread: {error}"));
            let _ = events.send(Event::Finished(Finished { number, file, outcome }));
        }
        job
    }

    /// Ends it soon.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

/// Runs the process to its end. The error says why that is not possible.
fn run(request: &Request, cancelled: &AtomicBool) -> Result<Outcome, String> {
    let program = std::env::current_exe().map_err(|error| format!("the command `braid` is not found: {error}"))?;
    let mut command = Command::new(&program);
    command.args(&request.arguments).current_dir(&request.folder);
    // A group of its own: what the process has started ends with it.
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn().map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
    let (said, errors) = (gather(child.stdout.take()), gather(child.stderr.take()));
    let status = watch(&mut child, request.limit, cancelled)?;
    if cancelled.load(Ordering::Relaxed) {
        return Ok(Outcome::Cancelled);
    }
    let [said, errors] = [said, errors].map(|text| text.join().unwrap_or_default());
    match status.code() {
        Some(0 | 10 | 20) => {
            let line = said.lines().next().unwrap_or_default();
            let document =
                serde_json::from_str(line).map_err(|error| format!("the answer is not readable: {error}"))?;
            Ok(Outcome::Answered(Box::new(document)))
        }
        Some(3) => Ok(Outcome::Rejected(errors)),
        _ => Err(format!("{status}: {}", errors.trim_end())),
    }
}

/// Reads all that comes, beside everything else.
fn gather(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Waits for the end. A process that must end is asked first, and killed if it does not.
fn watch(child: &mut Child, limit: Duration, cancelled: &AtomicBool) -> Result<ExitStatus, String> {
    let group = Pid::from_raw(child.id().cast_signed());
    let latest = Instant::now() + limit + BEYOND;
    let mut asked: Option<Instant> = None;
    loop {
        if let Some(status) = child.try_wait().map_err(|error| format!("it cannot be waited for: {error}"))? {
            return Ok(status);
        }
        let must_end = cancelled.load(Ordering::Relaxed) || Instant::now() >= latest;
        match asked {
            None if must_end => {
                let _ = killpg(group, Signal::SIGTERM);
                asked = Some(Instant::now());
            }
            Some(since) if since.elapsed() >= GRACE => {
                let _ = killpg(group, Signal::SIGKILL);
            }
            _ => {}
        }
        thread::sleep(TICK);
    }
}
