//! The child process in which the program runs: started, watched, and ended with whoever wants its result.

use crate::Error;
use crate::compile::Compiled;
use crate::guide::Guide;
use crate::property::Property;
use crate::report::{Report, Switch};
use crate::storage::Storage;
use std::fmt::Write;
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often the watcher looks up.
const TICK: Duration = Duration::from_millis(10);
/// How much longer than it was told to a child may take.
const GRACE: f64 = 2.0;

/// How long a child may take.
pub struct Limits<'a> {
    /// Seconds.
    pub seconds: f64,
    /// Is the result not wanted any more?
    pub stopped: &'a dyn Fn() -> bool,
}

/// What a search starts with.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Where pseudo-random choices start.
    pub seed: u64,
    /// Most runs.
    pub runs: u64,
    /// Most steps of one run, at first.
    pub steps: u64,
}

impl Compiled {
    /// Looks for a run that violates a property.
    pub fn search(&self, property: Property, start: Start, limits: &Limits<'_>) -> Result<Report, Error> {
        let [seed, runs, steps] = [start.seed, start.runs, start.steps].map(|number| number.to_string());
        let seconds = format!("{:.3}", limits.seconds);
        self.run(&["search", &self.asked(property), &seed, &runs, &seconds, &steps], limits)
    }

    /// Runs the program at random, without looking for anything: how runs end.
    pub fn shake(&self, property: Property, start: Start, limits: &Limits<'_>) -> Result<Report, Error> {
        let [seed, runs, steps] = [start.seed, start.runs, start.steps].map(|number| number.to_string());
        let seconds = format!("{:.3}", limits.seconds);
        self.run(&["random", &self.asked(property), &seed, &runs, &seconds, &steps], limits)
    }

    /// Repeats a run: the same switches at the same steps, the same inputs.
    pub fn replay(&self, property: Property, schedule: &Schedule, limits: &Limits<'_>) -> Result<Report, Error> {
        self.write("schedule", &schedule.text())?;
        self.run(&["replay", &self.asked(property), "../schedule"], limits)
    }

    /// Looks for a run that violates a property near what a guide says.
    pub fn follow(&self, property: Property, guide: &Guide, limits: &Limits<'_>) -> Result<Report, Error> {
        let storage = if guide.has_effects() { self.storage()? } else { Storage::default() };
        let text = guide.text(&self.lines()?, &storage);
        self.write("guide", &text)?;
        self.run(&["guide", &self.asked(property), "../guide", &format!("{:.3}", limits.seconds)], limits)
    }

    /// What the runtime is asked for.
    fn asked(&self, property: Property) -> String {
        let may_fail = if self.malloc_may_fail { ",malloc-may-fail" } else { "" };
        format!("{}{may_fail}", property.name())
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.folder().join(name);
        fs::write(&path, text).map_err(|error| Error::Child(format!("{}: {error}", path.display())))
    }

    fn run(&self, arguments: &[&str], limits: &Limits<'_>) -> Result<Report, Error> {
        let work = self.folder().join("work");
        let child = |error: std::io::Error| Error::Child(error.to_string());
        fs::create_dir_all(&work).map_err(child)?;
        let mut command = Command::new(self.executable());
        command.args(arguments).current_dir(&work).env_clear().env("LC_ALL", "C").env("HOME", &work);
        let mut running =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(child)?;
        let mut pipe = running.stdout.take().ok_or_else(|| Error::Child("no pipe".into()))?;
        let deadline = Instant::now() + Duration::from_secs_f64(limits.seconds + GRACE);
        let text = std::thread::scope(|scope| {
            let reader = scope.spawn(move || {
                let mut text = Vec::new();
                pipe.read_to_end(&mut text).map(|_| text)
            });
            while !reader.is_finished() {
                if (limits.stopped)() || Instant::now() >= deadline {
                    let _ = running.kill();
                    break;
                }
                std::thread::sleep(TICK);
            }
            reader.join().unwrap_or_else(|_| Ok(Vec::new()))
        });
        let status = running.wait().map_err(child)?;
        let report = Report::parse(&String::from_utf8_lossy(&text.map_err(child)?)).map_err(Error::Child)?;
        match report.is_complete() {
            true => Ok(report),
            false if report.stopped && ((limits.stopped)() || Instant::now() >= deadline) => Ok(report),
            false if (limits.stopped)() || Instant::now() >= deadline => Err(Error::Stopped),
            false => Err(Error::Child(format!("it ended without a report ({status})"))),
        }
    }
}

/// Exactly what a run does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Who goes on where.
    pub switches: Vec<Switch>,
    /// The values that the program is given, in order.
    pub inputs: Vec<i64>,
    /// The most threads; who starts more waits for ever.
    pub room: u32,
}

impl Schedule {
    /// As the runtime reads it.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for Switch { step, thread } in &self.switches {
            let _ = writeln!(text, "switch {step} {thread}");
        }
        for value in &self.inputs {
            let _ = writeln!(text, "input {value}");
        }
        if self.room > 0 {
            let _ = writeln!(text, "room {}", self.room);
        }
        text
    }
}
