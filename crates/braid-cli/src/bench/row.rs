//! A run: what was to be done, what came of it, and both as a line of the CSV.
//!
//! *Invariant*: a row read from its own line is the same row. The status is not believed but derived anew, so that a corrected
//! expectation counts for runs that are done.

use super::csv;
use super::expected::{Expected, Status, Verdict};
use std::time::Duration;

/// One task with one configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    pub config: String,
    /// The options of the configuration, as a shell reads them.
    pub options: String,
    pub set: String,
    pub task: String,
    pub file: String,
    pub property: String,
    /// The options of the task, as a shell reads them.
    pub args: String,
    pub expected: Expected,
    pub limits: Limits,
}

/// What a run may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Of real time.
    pub time: Duration,
    /// In bytes.
    pub memory: u64,
}

/// What came of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    pub verdict: Verdict,
    /// Which part of the property is violated.
    pub violated: String,
    /// Why there is no verdict.
    pub reason: String,
    /// The exit status, or the signal.
    pub exit: String,
    /// Real time, in seconds.
    pub wall: f64,
    /// Processor time of all processes and threads, in seconds.
    pub cpu: f64,
    /// The peak of resident memory, in MiB.
    pub mib: f64,
    pub engine: String,
    pub order: String,
    pub rounds: Option<u64>,
    pub proof_size: Option<u64>,
    pub states: Option<u64>,
    /// Which Braid it was.
    pub version: String,
    /// On which machine.
    pub host: String,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub item: Item,
    pub outcome: Outcome,
}

/// What makes two runs the same one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key {
    pub config: String,
    pub task: TaskKey,
}

/// The same without the configuration: a line of the table.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TaskKey {
    pub set: String,
    pub task: String,
    pub property: String,
    pub args: String,
}

impl TaskKey {
    /// How people call it.
    pub fn name(&self) -> String {
        match self.set == "-" || self.task.starts_with('/') {
            true => self.task.clone(),
            false => format!("{}/{}", self.set, self.task),
        }
    }
}

/// The columns that say what is to be done.
pub const ITEM_COLUMNS: [&str; 10] =
    ["config", "options", "set", "task", "file", "property", "args", "expected", "limit_s", "limit_mib"];
/// The columns that say what came of it.
const OUTCOME_COLUMNS: [&str; 15] = [
    "status",
    "verdict",
    "violated",
    "reason",
    "exit",
    "wall_s",
    "cpu_s",
    "mib",
    "engine",
    "order",
    "rounds",
    "proof_size",
    "states",
    "version",
    "host",
];

/// The first line of a CSV.
pub fn header() -> String {
    csv::line(ITEM_COLUMNS.into_iter().chain(OUTCOME_COLUMNS))
}

impl Item {
    pub fn key(&self) -> Key {
        Key { config: self.config.clone(), task: self.task_key() }
    }

    pub fn task_key(&self) -> TaskKey {
        // Sets are in different places on different machines: where they are says nothing.
        let folder = self.file.strip_suffix(&self.task).map(|folder| folder.trim_end_matches('/'));
        TaskKey {
            set: self.set.clone(),
            task: self.task.clone(),
            property: super::tasks::property_name(&self.property).to_owned(),
            args: match folder.filter(|folder| !folder.is_empty()) {
                Some(folder) => self.args.replace(folder, "DIR"),
                None => self.args.clone(),
            },
        }
    }

    pub fn cells(&self) -> [String; ITEM_COLUMNS.len()] {
        [
            self.config.clone(),
            self.options.clone(),
            self.set.clone(),
            self.task.clone(),
            self.file.clone(),
            self.property.clone(),
            self.args.clone(),
            self.expected.to_string(),
            format!("{}", self.limits.time.as_secs_f64()),
            format!("{}", self.limits.memory as f64 / MIB),
        ]
    }

    /// Reads an item by the names of columns.
    pub fn of_cells(cell: &dyn Fn(&str) -> String) -> Result<Item, String> {
        let seconds = number(cell, "limit_s")?;
        Ok(Item {
            config: cell("config"),
            options: cell("options"),
            set: cell("set"),
            task: cell("task"),
            file: cell("file"),
            property: cell("property"),
            args: cell("args"),
            expected: Expected::parse(&cell("expected"))?,
            limits: Limits {
                time: Duration::try_from_secs_f64(seconds).map_err(|error| format!("limit_s: {error}"))?,
                memory: (number(cell, "limit_mib")? * MIB) as u64,
            },
        })
    }
}

pub const MIB: f64 = (1 << 20) as f64;

impl Row {
    pub fn status(&self) -> Status {
        let Outcome { verdict, violated, reason, exit, .. } = &self.outcome;
        Status::of_verdict(*verdict, violated, &self.item.expected).unwrap_or(match (verdict, reason.as_str()) {
            (_, reason) if reason.starts_with("timeout") => Status::Timeout,
            (_, reason) if reason.starts_with("out of memory") => Status::Memory,
            (Verdict::Unknown, _) => Status::Unknown,
            _ if exit == "3" => Status::Rejected,
            _ => Status::Crash,
        })
    }

    /// The points that the Software Verification Competition gives.
    pub fn score(&self) -> i64 {
        match (self.status(), self.outcome.verdict) {
            (Status::Correct, Verdict::Safe) => 2,
            (Status::Correct, _) => 1,
            (Status::Wrong, Verdict::Safe) => -32,
            (Status::Wrong, _) => -16,
            _ => 0,
        }
    }

    /// What was said, in the words of expectations: `false(no-data-race)`, or why nothing was.
    pub fn said(&self) -> String {
        let Outcome { verdict, violated, reason, .. } = &self.outcome;
        match (verdict, violated.as_str(), self.status()) {
            (Verdict::Safe, ..) => "true".to_owned(),
            (Verdict::Unsafe, "", _) => "false".to_owned(),
            (Verdict::Unsafe, violated, _) => format!("false({violated})"),
            (_, _, status) if reason.is_empty() || reason == status.name() => status.name().to_owned(),
            (_, _, status) => format!("{} ({reason})", status.name()),
        }
    }

    /// The row as a line of a CSV.
    pub fn line(&self) -> String {
        let Outcome { verdict, violated, reason, exit, engine, order, version, host, .. } = &self.outcome;
        let count = |count: Option<u64>| count.map_or(String::new(), |count| count.to_string());
        let outcome: [String; OUTCOME_COLUMNS.len()] = [
            self.status().name().to_owned(),
            verdict.name().to_owned(),
            violated.clone(),
            reason.clone(),
            exit.clone(),
            format!("{:.3}", self.outcome.wall),
            format!("{:.3}", self.outcome.cpu),
            format!("{:.1}", self.outcome.mib),
            engine.clone(),
            order.clone(),
            count(self.outcome.rounds),
            count(self.outcome.proof_size),
            count(self.outcome.states),
            version.clone(),
            host.clone(),
        ];
        csv::line(self.item.cells().iter().chain(&outcome).map(String::as_str))
    }

    /// Reads a row by the names of columns.
    pub fn of_cells(cell: &dyn Fn(&str) -> String) -> Result<Row, String> {
        let verdict = cell("verdict");
        let verdict = Verdict::of_name(&verdict).ok_or_else(|| format!("`{verdict}` is no verdict of a run"))?;
        let outcome = Outcome {
            verdict,
            violated: cell("violated"),
            reason: cell("reason"),
            exit: cell("exit"),
            wall: number(cell, "wall_s")?,
            cpu: number(cell, "cpu_s")?,
            mib: number(cell, "mib")?,
            engine: cell("engine"),
            order: cell("order"),
            rounds: cell("rounds").parse().ok(),
            proof_size: cell("proof_size").parse().ok(),
            states: cell("states").parse().ok(),
            version: cell("version"),
            host: cell("host"),
        };
        Ok(Row { item: Item::of_cells(cell)?, outcome })
    }
}

fn number(cell: &dyn Fn(&str) -> String, column: &str) -> Result<f64, String> {
    let text = cell(column);
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| format!("`{text}` in column {column} is no number"))
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A row with what matters in most tests.
    pub fn row(config: &str, task: &str, expected: &str, verdict: Verdict, cpu: f64) -> Row {
        let item = Item {
            config: config.into(),
            options: "--engine gem".into(),
            set: "set".into(),
            task: task.into(),
            file: format!("/bench/{task}"),
            property: "unreach-call".into(),
            args: String::new(),
            expected: Expected::parse(expected).unwrap(),
            limits: Limits { time: Duration::from_secs(10), memory: 1 << 30 },
        };
        let outcome = Outcome {
            verdict,
            violated: String::new(),
            reason: String::new(),
            exit: "0".into(),
            wall: cpu,
            cpu,
            mib: 10.0,
            engine: "gem".into(),
            order: String::new(),
            rounds: Some(3),
            proof_size: None,
            states: Some(5),
            version: "1".into(),
            host: "here".into(),
        };
        Row { item, outcome }
    }

    #[test]
    fn rows_come_back() {
        let mut row = row("a", "x, \"y\"\nz.c", "false(valid-free)", Verdict::Unsafe, 1.25);
        row.outcome.reason = "line 1\nline 2, \"quoted\"".into();
        row.item.args = "-D 'X=\"a, b\"'".into();
        row.item.limits = Limits { time: Duration::from_millis(1500), memory: 5_000_000 };
        let table = csv::read(&(header() + &row.line())).unwrap();
        let record = &table.records[0];
        assert_eq!(Row::of_cells(&|column| table.cell(record, column).to_owned()), Ok(row));
    }

    #[test]
    fn places_do_not_matter() {
        let mut here = row("a", "x/y.c", "true", Verdict::Safe, 1.0).item;
        let mut there = here.clone();
        (here.file, here.args, here.property) = ("/a/x/y.c".into(), "-I /a/i".into(), "/a/p/unreach-call.prp".into());
        (there.file, there.args) = ("/b/c/x/y.c".into(), "-I /b/c/i".into());
        assert_eq!(here.key(), there.key());
        assert_eq!(here.task_key().args, "-I DIR/i");
    }

    #[test]
    fn what_comes_of_a_run() {
        let check = |verdict, reason: &str, exit: &str, status: Status, said: &str| {
            let mut row = row("a", "x.c", "true", verdict, 1.0);
            (row.outcome.reason, row.outcome.exit) = (reason.into(), exit.into());
            assert_eq!((row.status(), row.said().as_str()), (status, said));
        };
        check(Verdict::Safe, "", "0", Status::Correct, "true");
        check(Verdict::Unsafe, "", "10", Status::Wrong, "false");
        check(Verdict::Unknown, "timeout", "20", Status::Timeout, "timeout");
        check(Verdict::Unknown, "out of memory", "20", Status::Memory, "memory (out of memory)");
        check(Verdict::Unknown, "bound", "20", Status::Unknown, "unknown (bound)");
        check(Verdict::None, "a.c:1:1: error: no", "3", Status::Rejected, "rejected (a.c:1:1: error: no)");
        check(Verdict::None, "", "signal 11", Status::Crash, "crash");
        check(Verdict::None, "timeout", "signal 9", Status::Timeout, "timeout");
    }

    #[test]
    fn points() {
        let score = |verdict, expected| row("a", "x.c", expected, verdict, 1.0).score();
        let scores = [(Verdict::Safe, "true"), (Verdict::Unsafe, "false"), (Verdict::Safe, "false")];
        assert_eq!(scores.map(|(verdict, expected)| score(verdict, expected)), [2, 1, -32]);
        assert_eq!((score(Verdict::Unsafe, "true"), score(Verdict::Unknown, "true")), (-16, 0));
    }
}
