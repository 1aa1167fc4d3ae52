//! What the runtime reports: one fact per line.

use crate::child::Schedule;
use std::collections::{BTreeMap, BTreeSet};

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum End {
    /// The program came to its end.
    Finished,
    /// An assertion failed.
    Failed,
    /// There was a data race.
    Raced,
    /// A signed number overflowed.
    Overflowed,
    /// The machine refused to go on.
    Crashed,
    /// Memory was accessed that is not there.
    Invalid,
    /// Every thread waits.
    Deadlocked,
    /// It took too many steps.
    Endless,
    /// The program called `exit` or `abort`.
    Exited,
    /// An assumption did not hold.
    Abandoned,
    /// It needed more than the runtime has.
    Exhausted,
    /// It did not go as planned.
    Lost,
    /// Something was freed that is no block, or no more.
    Misfreed,
    /// An operation has no meaning.
    Undefined,
    /// A block was left at the end.
    Leaked,
}

const ENDS: [(&str, End); 15] = [
    ("finished", End::Finished),
    ("failed", End::Failed),
    ("raced", End::Raced),
    ("overflowed", End::Overflowed),
    ("crashed", End::Crashed),
    ("invalid", End::Invalid),
    ("deadlocked", End::Deadlocked),
    ("endless", End::Endless),
    ("exited", End::Exited),
    ("abandoned", End::Abandoned),
    ("exhausted", End::Exhausted),
    ("lost", End::Lost),
    ("misfreed", End::Misfreed),
    ("undefined", End::Undefined),
    ("leaked", End::Leaked),
];

fn end(name: &str) -> Option<End> {
    ENDS.iter().find(|(known, _)| *known == name).map(|(_, end)| *end)
}

/// Another thread goes on before a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switch {
    /// The number of the step, over all threads.
    pub step: u64,
    /// The number of the thread, in the order in which they were started.
    pub thread: u32,
}

/// A value that the program was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The value.
    pub value: i64,
    /// The function that gave it; with a `-` before it, a choice of the library.
    pub name: String,
    /// Where it was called.
    pub pc: u64,
    /// By whom.
    pub thread: u32,
}

/// A thread of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    /// The address of its function; 0 for the first one.
    pub function: u64,
    /// Who started it.
    pub parent: u32,
    /// Has it not come to its end?
    pub waits: bool,
}

/// A step that others may see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Who made it.
    pub thread: u32,
    /// `read`, `write`, `lock`, …
    pub what: String,
    /// The address, or what else belongs to it.
    pub at: u64,
    /// Where in the program.
    pub pc: u64,
    /// Its number.
    pub number: u64,
}

/// Figures of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Search {
    /// Runs.
    pub runs: u64,
    /// Runs that differ in what happened before what.
    pub different: u64,
    /// Steps of all runs.
    pub steps: u64,
    /// The most deviations from a fixed schedule.
    pub level: u64,
    /// Blocks of code that were reached.
    pub covered: u64,
    /// Runs that violate the property, but only after an overflow.
    pub tainted: u64,
    /// The most threads.
    pub threads: u64,
    /// How runs ended.
    pub ends: BTreeMap<End, u64>,
    /// Was something found?
    pub found: bool,
}

/// All that was reported: of a search, the run that was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// How the run ended.
    pub end: Option<End>,
    /// What was said about it.
    pub message: String,
    /// Who ended it.
    pub thread: u32,
    /// Where.
    pub pc: u64,
    /// The address that it is about.
    pub fault: u64,
    /// The other access of a race, or the allocation of a block that was left: by whom and where.
    pub other: Option<(u32, u64)>,
    /// Where a number overflowed before.
    pub overflow: Option<u64>,
    /// All threads.
    pub threads: Vec<Thread>,
    /// All switches.
    pub switches: Vec<Switch>,
    /// All inputs.
    pub inputs: Vec<Input>,
    /// The most threads that the run may have.
    pub room: u32,
    /// The steps, if they were recorded.
    pub steps: Vec<Step>,
    /// Ways to end that were not looked for, with what was said and where.
    pub asides: Vec<(End, String, u64)>,
    /// Functions without a body that did not write what a guide says.
    pub unforced: BTreeSet<String>,
    /// Figures of a search.
    pub search: Option<Search>,
    /// Was it stopped before its end? Then the figures are what was known by then.
    pub stopped: bool,
}

impl Report {
    /// Does it say how it ended?
    pub fn is_complete(&self) -> bool {
        self.end.is_some() || (self.search.is_some() && !self.stopped)
    }

    /// The run as it can be repeated.
    pub fn schedule(&self) -> Schedule {
        let inputs = self.inputs.iter().map(|input| input.value).collect();
        Schedule { switches: self.switches.clone(), inputs, room: self.room }
    }

    /// Reads a report. The error is what the runtime says is wrong with itself.
    pub fn parse(text: &str) -> Result<Report, String> {
        let (mut report, mut search) = (Report::default(), Search::default());
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            if words[0] == "internal" {
                return Err(line.to_owned());
            }
            // A line that was cut off when the child was stopped says nothing.
            let _ = report.line(line, &words).or_else(|| search.line(&words)).or_else(|| {
                (words[..] == ["result", "found"] || words[..] == ["result", "nothing"]).then(|| {
                    search.found = words[1] == "found";
                    report.search = Some(std::mem::take(&mut search));
                })
            });
        }
        if report.search.is_none() && search != Search::default() {
            report.stopped = report.end.is_none();
            report.search = Some(search).filter(|_| report.stopped);
        }
        Ok(report)
    }

    fn line(&mut self, line: &str, words: &[&str]) -> Option<()> {
        match *words {
            ["end", how] => self.end = Some(end(how)?),
            ["message", ..] => self.message = line["message ".len()..].to_owned(),
            ["at", thread, pc, fault] => {
                (self.thread, self.pc, self.fault) = (thread.parse().ok()?, hexadecimal(pc)?, hexadecimal(fault)?);
            }
            ["other", thread, pc] => self.other = Some((thread.parse().ok()?, hexadecimal(pc)?)),
            ["overflow", pc] => self.overflow = Some(hexadecimal(pc)?),
            ["thread", _, function, parent, wait] => self.threads.push(Thread {
                function: hexadecimal(function)?,
                parent: parent.parse().ok()?,
                waits: wait == "1",
            }),
            ["switch", step, thread] => {
                self.switches.push(Switch { step: step.parse().ok()?, thread: thread.parse().ok()? });
            }
            ["input", value, name, pc, thread] => self.inputs.push(Input {
                value: value.parse().ok()?,
                name: name.to_owned(),
                pc: hexadecimal(pc)?,
                thread: thread.parse().ok()?,
            }),
            ["unforced", name] => {
                self.unforced.insert(name.to_owned());
            }
            ["room", number] => self.room = number.parse().ok()?,
            ["step", thread, what, at, pc, number] => self.steps.push(Step {
                thread: thread.parse().ok()?,
                what: what.to_owned(),
                at: hexadecimal(at)?,
                pc: hexadecimal(pc)?,
                number: number.parse().ok()?,
            }),
            ["aside", how, pc, ..] => {
                let said = line.splitn(4, ' ').nth(3).unwrap_or_default().to_owned();
                self.asides.push((end(how)?, said, hexadecimal(pc)?));
            }
            _ => return None,
        }
        Some(())
    }
}

impl Search {
    fn line(&mut self, words: &[&str]) -> Option<()> {
        match *words {
            ["runs", number] => self.runs = number.parse().ok()?,
            ["different", number] => self.different = number.parse().ok()?,
            ["all-steps", number] => self.steps = number.parse().ok()?,
            ["level", number] => self.level = number.parse().ok()?,
            ["covered", number] => self.covered = number.parse().ok()?,
            ["tainted", number] => self.tainted = number.parse().ok()?,
            ["threads", number] => self.threads = number.parse().ok()?,
            ["ends", how, number] => {
                self.ends.insert(end(how)?, number.parse().ok()?);
            }
            _ => return None,
        }
        Some(())
    }
}

fn hexadecimal(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read() {
        let text = "end failed\nmessage a.c:3: main: Assertion `x' failed.\nat 1 40a0 0\nthread 0 0 0 4\nswitch 7 1\n\
                    input -3 rand 40b0 0\nruns 12\nends failed 1\nends finished 11\nresult found\n";
        let report = Report::parse(text).unwrap();
        assert_eq!((report.end, report.thread, report.pc), (Some(End::Failed), 1, 0x40a0));
        assert_eq!(
            report.schedule(),
            Schedule { switches: vec![Switch { step: 7, thread: 1 }], inputs: vec![-3], room: 0 }
        );
        assert_eq!(report.search.map(|search| (search.runs, search.found)), Some((12, true)));
        assert_eq!(Report::parse("internal no memory"), Err("internal no memory".to_owned()));
    }
}
