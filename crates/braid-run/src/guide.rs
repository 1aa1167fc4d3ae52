//! A guide: what an execution of a model did, roughly, so that the machine can be led the same way.

use std::fmt::Write;

/// A thread of a guide.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuideThread {
    /// Its function.
    pub function: String,
    /// Its number among the threads with the same function, in the order in which they are started.
    pub ordinal: u32,
}

/// A place of an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// Does the step read, or write, what is shared? Neither: it is not known.
    pub reads: bool,
    /// See there.
    pub writes: bool,
}

/// A value that the program was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The value.
    pub value: i64,
    /// What stands there.
    pub text: String,
}

/// What one thread does before another one goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuideStep {
    /// The thread, as an index.
    pub thread: usize,
    /// Where.
    pub marks: Vec<Mark>,
    /// What it was given on the way.
    pub given: Vec<Given>,
}

/// A guide. The first thread is the one of `main`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Guide {
    /// The threads.
    pub threads: Vec<GuideThread>,
    /// The actions, in order.
    pub steps: Vec<GuideStep>,
    /// Where the violation is: file and line.
    pub target: Option<(String, usize)>,
}

/// A file has at most this many lines, so that a file and a line are one number.
const LINES: usize = 1 << 20;

impl Guide {
    /// As the runtime reads it, with the addresses where lines begin: address, name of the file, line.
    pub(crate) fn text(&self, lines: &[(u64, String, u32)]) -> String {
        let number = |file: &str, line: usize, files: &mut Vec<String>| {
            let name = base(file).to_owned();
            let at = files.iter().position(|known| *known == name).unwrap_or_else(|| {
                files.push(name);
                files.len() - 1
            });
            at * LINES + line.min(LINES - 1)
        };
        let mut names: Vec<String> = Vec::new();
        let mut out = String::new();
        for GuideThread { function, ordinal } in &self.threads {
            let _ = writeln!(out, "thread {function} {ordinal}");
        }
        for (action, step) in self.steps.iter().enumerate() {
            let _ = writeln!(out, "action {}", step.thread);
            for mark in &step.marks {
                let kind = u8::from(mark.reads) + 2 * u8::from(mark.writes);
                let line = number(&mark.file, mark.line, &mut names);
                let _ = writeln!(out, "mark {} {action} {line} {kind}", step.thread);
            }
            for given in &step.given {
                let line = number(&given.file, given.line, &mut names);
                if given.text == "argc" {
                    let _ = writeln!(out, "argc {}", given.value);
                    continue;
                }
                let _ = writeln!(out, "input {} {line} {}", step.thread, given.value);
            }
        }
        if let Some((file, line)) = &self.target {
            let _ = writeln!(out, "target {}", number(file, *line, &mut names));
        }
        for (address, file, line) in lines {
            let _ = writeln!(out, "line {address:x} {}", number(file, *line as usize, &mut names));
        }
        out
    }
}

/// The name of a file without its folders: compilers and people name folders differently.
fn base(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_numbers() {
        let thread = GuideThread { function: "main".into(), ordinal: 0 };
        let mark = Mark { file: "/x/a.c".into(), line: 7, reads: true, writes: true };
        let given = Given { file: "a.c".into(), line: 8, value: -1, text: String::new() };
        let step = GuideStep { thread: 0, marks: vec![mark], given: vec![given] };
        let guide = Guide { threads: vec![thread], steps: vec![step], target: Some(("b.h".into(), 1)) };
        let text = guide.text(&[(0x40, "a.c".into(), 7)]);
        assert_eq!(text, "thread main 0\naction 0\nmark 0 0 7 3\ninput 0 8 -1\ntarget 1048577\nline 40 7\n");
    }
}
