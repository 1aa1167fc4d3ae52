//! `braid doctor`: what this machine has of what Braid uses, found out by using it.
//!
//! *Invariant*: a line says `ok` only of what was tried just now. Only what verification itself needs can be `missing` and fail the
//! command; what single options need is a `note`.

mod running;
mod verifying;

use crate::arguments::Doctor;
use crate::exit::{Failure, Status};
use crate::output::{self, Page};
use crate::version;
use serde::Serialize;
use std::thread;

/// How it is with one thing.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    /// Something that only some options need is not there.
    Note,
    Missing,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            State::Ok => "ok",
            State::Note => "note",
            State::Missing => "missing",
        }
    }
}

/// What was found out about one thing.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
struct Finding {
    name: &'static str,
    state: State,
    found: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

impl Finding {
    fn ok(name: &'static str, found: impl Into<String>) -> Finding {
        Finding { name, state: State::Ok, found: found.into(), advice: None }
    }

    fn note(name: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding { name, state: State::Note, found: found.into(), advice: Some(advice.into()) }
    }

    fn missing(name: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding { name, state: State::Missing, found: found.into(), advice: Some(advice.into()) }
    }
}

/// Runs `braid doctor`.
pub fn doctor(arguments: &Doctor) -> Result<Status, Failure> {
    let mut findings = verifying::findings(arguments.solver.as_deref());
    findings.extend(running::findings());
    findings.push(terminal(Page::of_stdout()));
    findings.push(machine());
    let healthy = findings.iter().all(|finding| finding.state != State::Missing);
    let text = match arguments.json {
        true => json(&findings, healthy),
        false => format!("braid {}\n\n{}", version::line(), text(&findings, healthy)),
    };
    output::print(&text)?;
    Ok(if healthy { Status::Safe } else { Status::Refused })
}

/// One line for each thing, and one for what to do about it.
fn text(findings: &[Finding], healthy: bool) -> String {
    let width = findings.iter().map(|finding| finding.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for Finding { name, state, found, advice } in findings {
        text += &format!("{:<8} {name:<width$}  {found}\n", state.word());
        text += &advice.as_ref().map(|advice| format!("{:8} {:width$}  → {advice}\n", "", "")).unwrap_or_default();
    }
    let end = match healthy {
        true => "All that verification needs is there.",
        false => "Something is missing that verification needs.",
    };
    text + "\n" + end + "\n"
}

fn json(findings: &[Finding], healthy: bool) -> String {
    let document = serde_json::json!({
        "version": version::NUMBER,
        "commit": version::COMMIT,
        "ok": healthy,
        "checks": findings,
    });
    format!("{document:#}\n")
}

fn terminal(Page { width, colour }: Page) -> Finding {
    let colours = if colour { "with colours" } else { "without colours" };
    let found = format!("standard output has {width} columns, {colours}");
    match width < 80 {
        true => Finding::note("terminal", found, "tables of executions need 80 columns or more: set COLUMNS"),
        false => Finding::ok("terminal", found),
    }
}

/// Processors and memory: engines run side by side, and give up at 4 GiB.
fn machine() -> Finding {
    let processors = thread::available_parallelism().map_or(1, |number| number.get());
    let memory = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kilobytes = |line: &str| line.split_whitespace().nth(1).and_then(|number| number.parse::<f64>().ok());
    let total = memory.lines().find(|line| line.starts_with("MemTotal:")).and_then(kilobytes);
    let gibibytes = total.map(|kilobytes| kilobytes / f64::from(1 << 20));
    let found = match gibibytes {
        Some(memory) => format!("{processors} processors, {memory:.1} GiB of memory"),
        None => format!("{processors} processors"),
    };
    match gibibytes.is_some_and(|memory| memory < 4.0) {
        true => Finding::note("machine", found, "lower the limit of 4 GiB, for example --memory 1GiB"),
        false => Finding::ok("machine", found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_lines() {
        let findings = [
            Finding::ok("solver", "Z3 1.2.3"),
            Finding::missing("C headers", "no <pthread.h>", "install libc6-dev"),
            terminal(Page { width: 60, colour: false }),
        ];
        let expected = "\
ok       solver     Z3 1.2.3
missing  C headers  no <pthread.h>
                    → install libc6-dev
note     terminal   standard output has 60 columns, without colours
                    → tables of executions need 80 columns or more: set COLUMNS

Something is missing that verification needs.
";
        assert_eq!(text(&findings, false), expected);
        let read: serde_json::Value = serde_json::from_str(&json(&findings, false)).expect("this is JSON");
        assert_eq!(read["ok"], false);
        assert_eq!(read["checks"][1]["state"], "missing");
        assert_eq!(read["checks"][0].get("advice"), None);
    }
}
