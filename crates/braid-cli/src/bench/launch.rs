//! Turning an item into a run of `braid verify`, and what the run said into an outcome.

use super::child::{self, End, Ended};
use super::expected::Verdict;
use super::row::{Item, Limits, Outcome, Row};
use crate::arguments::words;
use crate::exit::Failure;
use crate::version;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How much of a reason is kept, in characters.
const REASON: usize = 200;

/// Which Braid runs, and where.
pub struct Launcher {
    pub program: PathBuf,
    pub version: String,
    pub host: String,
}

impl Launcher {
    /// This Braid, or another one.
    pub fn new(other: Option<&Path>) -> Result<Launcher, Failure> {
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned();
        let Some(program) = other else {
            let program = std::env::current_exe()
                .map_err(|error| Failure::internal(&format!("the command `braid` is not found: {error}")))?;
            return Ok(Launcher { program, version: version::line().to_owned(), host });
        };
        let failed = |what: String| Failure::usage(format!("error: {}: {what}", program.display()));
        let said = Command::new(program).arg("--version").output().map_err(|error| failed(error.to_string()))?;
        let said = String::from_utf8_lossy(&said.stdout).trim().to_owned();
        let version = said.strip_prefix("braid ").ok_or_else(|| failed("this is no `braid`".into()))?;
        let program = std::path::absolute(program).unwrap_or_else(|_| program.to_owned());
        Ok(Launcher { program, version: version.to_owned(), host })
    }

    /// Runs an item. None if it was cancelled.
    pub fn run(&self, item: &Item, cancelled: &AtomicBool) -> Option<Row> {
        let mut command = Command::new(&self.program);
        command.args(arguments(item));
        let outcome = match child::run(&mut command, beyond(item.limits), cancelled) {
            Ok(Ended { end: End::Cancelled, .. }) => return None,
            Ok(ended) => self.outcome(&ended),
            Err(reason) => Outcome { reason, ..self.nothing() },
        };
        Some(Row { item: item.clone(), outcome })
    }

    fn nothing(&self) -> Outcome {
        Outcome {
            verdict: Verdict::None,
            violated: String::new(),
            reason: String::new(),
            exit: String::new(),
            wall: 0.0,
            cpu: 0.0,
            mib: 0.0,
            engine: String::new(),
            order: String::new(),
            rounds: None,
            proof_size: None,
            states: None,
            version: self.version.clone(),
            host: self.host.clone(),
        }
    }

    fn outcome(&self, ended: &Ended) -> Outcome {
        let said: Said = ended.said.lines().next().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default();
        // The document comes before the last line; a run that is ended between them has said nothing.
        let last = ended.said.lines().rev().find_map(|line| line.strip_prefix("verdict: "));
        let (verdict, reason) = last.map_or((Verdict::None, ""), |last| {
            last.split_once(' ').map_or((Verdict::of_name(last).unwrap_or(Verdict::None), ""), |(name, reason)| {
                (Verdict::of_name(name).unwrap_or(Verdict::None), reason)
            })
        });
        let reason = match (ended.end, verdict) {
            (End::OutOfTime, Verdict::None) => "timeout".to_owned(),
            (End::OutOfMemory, Verdict::None) => "out of memory".to_owned(),
            (_, Verdict::None) => complaint(&ended.complained),
            _ => reason.strip_prefix('(').and_then(|reason| reason.strip_suffix(')')).unwrap_or_default().to_owned(),
        };
        Outcome {
            verdict,
            violated: said.violated.filter(|_| verdict == Verdict::Unsafe).unwrap_or_default(),
            reason: if matches!(verdict, Verdict::Safe | Verdict::Unsafe) { String::new() } else { cut(&reason) },
            exit: ended.exit(),
            wall: rounded(ended.wall.as_secs_f64(), 1e3),
            cpu: rounded(ended.cpu.as_secs_f64(), 1e3),
            mib: rounded(ended.memory as f64 / super::row::MIB, 10.0),
            engine: said.engine,
            order: said.order.unwrap_or_default(),
            rounds: said.rounds,
            proof_size: said.proof_size,
            states: said.states,
            ..self.nothing()
        }
    }
}

/// The words after `braid` that verify an item.
pub fn arguments(item: &Item) -> Vec<String> {
    let mut all = vec!["verify".to_owned()];
    all.extend(words(&item.options));
    all.extend(words(&item.args));
    if !item.property.is_empty() {
        all.extend(["--property".to_owned(), item.property.clone()]);
    }
    all.extend(["--timeout".to_owned(), format!("{}ms", item.limits.time.as_millis())]);
    all.extend(["--memory".to_owned(), item.limits.memory.to_string()]);
    all.extend(["--json", "-", "--quiet"].map(str::to_owned));
    all.push(item.file.clone());
    all
}

/// Where a run is ended that does not keep to its limits: Braid needs a moment to give up.
pub fn beyond(limits: Limits) -> Limits {
    Limits { time: limits.time.mul_f64(1.1) + Duration::from_secs(2), memory: limits.memory / 10 * 11 }
}

/// What matters of the document.
#[derive(Deserialize, Default)]
struct Said {
    #[serde(default)]
    engine: String,
    order: Option<String>,
    violated: Option<String>,
    rounds: Option<u64>,
    proof_size: Option<u64>,
    states: Option<u64>,
}

/// The line of standard error that says what is wrong.
fn complaint(text: &str) -> String {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines().find(|line| line.contains("error")).or_else(|| lines().next_back()).unwrap_or_default().to_owned()
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(REASON) {
        Some((place, _)) => format!("{}…", &text[..place]),
        None => text.to_owned(),
    }
}

/// As many digits as the CSV has: what is told now is told again from it.
fn rounded(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts
}

#[cfg(test)]
mod tests {
    use super::super::expected::Status;
    use super::super::row::tests::row;
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    fn check(end: End, said: &str, complained: &str, expected: (Status, &str)) {
        let launcher = Launcher { program: "braid".into(), version: String::new(), host: String::new() };
        let (wall, cpu) = (Duration::from_millis(1500), Duration::from_micros(1_234_567));
        let ended = Ended { end, said: said.into(), complained: complained.into(), wall, cpu, memory: 3 << 20 };
        let mut row = row("a", "x.c", "true", Verdict::None, 0.0);
        row.outcome = launcher.outcome(&ended);
        assert_eq!((row.status(), row.said().as_str()), expected);
        assert_eq!((row.outcome.wall, row.outcome.cpu, row.outcome.mib), (1.5, 1.235, 3.0));
    }

    #[test]
    fn what_runs_say() {
        let exit = |code: i32| End::Itself(ExitStatus::from_raw(code << 8));
        let document = "{\"engine\": \"gem\", \"violated\": \"no-data-race\", \"rounds\": 4, \"story\": {}}\n";
        check(exit(0), &format!("{document}verdict: safe\n"), "", (Status::Correct, "true"));
        check(exit(10), &format!("{document}verdict: unsafe\n"), "", (Status::Wrong, "false(no-data-race)"));
        check(
            exit(10),
            &format!("{document}verdict: unsafe (no-data-race)\n"),
            "",
            (Status::Wrong, "false(no-data-race)"),
        );
        check(exit(20), "{}\nverdict: unknown (timeout)\n", "", (Status::Timeout, "timeout"));
        check(exit(20), "{}\nverdict: unknown (a (b) c)\n", "", (Status::Unknown, "unknown (a (b) c)"));
        check(
            exit(3),
            "",
            "warning: x\na.c:1:1: error: no\n  ^\n",
            (Status::Rejected, "rejected (a.c:1:1: error: no)"),
        );
        check(exit(70), "", "internal error: x\n", (Status::Crash, "crash (internal error: x)"));
        check(End::OutOfTime, "", "", (Status::Timeout, "timeout"));
        check(End::OutOfMemory, "", "", (Status::Memory, "memory (out of memory)"));
        check(End::Itself(ExitStatus::from_raw(11)), "{\"engine\": ", "", (Status::Crash, "crash"));
    }

    #[test]
    fn command_lines() {
        let mut item = row("a", "x.c", "true", Verdict::None, 0.0).item;
        item.args = "-D 'X=a b'".into();
        let expected = "verify|--engine|gem|-D|X=a b|--property|unreach-call|--timeout|10000ms|--memory|1073741824|--json|-|--quiet|/bench/x.c";
        assert_eq!(arguments(&item).join("|"), expected);
        assert_eq!(beyond(item.limits), Limits { time: Duration::from_secs(13), memory: 1_181_116_002 });
    }
}
