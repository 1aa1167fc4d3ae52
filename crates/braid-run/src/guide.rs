//! A guide: what an execution of a model did, roughly, so that the machine can be led the same way.

use crate::storage::Storage;
use std::collections::BTreeSet;
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
    /// Is it whether memory was allocated? It was if the value is 0.
    pub allocates: bool,
}

/// What a function without a body wrote, or just accessed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The file of the call, as it was named.
    pub file: String,
    /// The line of the call, from 1.
    pub line: usize,
    /// The number of the call, among those of the guide.
    pub call: u32,
    /// The function.
    pub function: String,
    /// The object.
    pub object: Way,
    /// Where in the object, in bytes.
    pub offset: u64,
    /// How many bytes: at most 8 where there is a value.
    pub size: u64,
    /// Of a bit-field: how many bits lie below it, and how many it has.
    pub bits: Option<(u8, u8)>,
    /// The value; none if it does not matter.
    pub value: Option<i64>,
    /// Is it read, and not written?
    pub is_read: bool,
    /// Is the access atomic?
    pub is_atomic: bool,
}

/// How a function comes to an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// Where it starts.
    pub start: WayStart,
    /// The pointers on the way, each by its place in its object.
    pub pointers: Vec<u64>,
}

/// Where a way to an object starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WayStart {
    /// At an argument, from 0: those of floating-point types do not count.
    Argument(u32),
    /// At a variable with static storage.
    Variable(String),
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
    /// What functions without a body wrote on the way.
    pub written: Vec<Written>,
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
    /// What functions without a body access in each call, by whomever, where data races are looked for.
    pub accessed: Vec<Written>,
    /// Functions without a body that wrote what cannot be said here.
    pub unforced: BTreeSet<String>,
}

/// A file has at most this many lines, so that a file and a line are one number.
const LINES: usize = 1 << 20;

impl Guide {
    /// Do functions without a body write something?
    pub(crate) fn has_effects(&self) -> bool {
        !self.accessed.is_empty() || self.steps.iter().any(|step| !step.written.is_empty())
    }

    /// As the runtime reads it, with the addresses where lines begin (address, name of the file, line) and with the places of
    /// variables.
    pub(crate) fn text(&self, lines: &[(u64, String, u32)], storage: &Storage) -> String {
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
                let _ = match given.allocates {
                    true => writeln!(out, "allocation {} {line} {}", step.thread, u8::from(given.value != 0)),
                    false => writeln!(out, "input {} {line} {}", step.thread, given.value),
                };
            }
            for written in &step.written {
                let line = number(&written.file, written.line, &mut names);
                let _ = writeln!(out, "write {} {line} {}", step.thread, written.text(storage));
            }
        }
        for accessed in &self.accessed {
            let line = number(&accessed.file, accessed.line, &mut names);
            let _ = writeln!(out, "access {line} {}", accessed.text(storage));
        }
        if let Some((file, line)) = &self.target {
            let _ = writeln!(out, "target {}", number(file, *line, &mut names));
        }
        for (address, file, line) in lines {
            let _ = writeln!(out, "line {address:x} {}", number(file, *line as usize, &mut names));
        }
        for (_, address, size) in &storage.statics {
            let _ = writeln!(out, "static {address:x} {size}");
        }
        for local in &storage.locals {
            let _ = writeln!(out, "local {:x} {:x} {} {}", local.code.0, local.code.1, local.offset, local.size);
        }
        out
    }
}

impl Written {
    /// The call, the function, the object as `a0>8` or `=404000`, its place there, the kind of the access, and the value.
    fn text(&self, storage: &Storage) -> String {
        let start = match &self.object.start {
            WayStart::Argument(number) => format!("a{number}"),
            WayStart::Variable(name) => format!("={:x}", storage.address(name).unwrap_or(0)),
        };
        let way = self.object.pointers.iter().fold(start, |way, pointer| format!("{way}>{pointer}"));
        let Written { call, function, offset, size, .. } = self;
        let (shift, width) = self.bits.unwrap_or((0, 0));
        let kind = u8::from(self.is_read) + 2 * u8::from(self.is_atomic) + 4 * u8::from(self.value.is_none());
        format!("{call} {function} {way} {offset} {size} {shift} {width} {kind} {}", self.value.unwrap_or(0))
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
        let given = Given { file: "a.c".into(), line: 8, value: -1, text: String::new(), allocates: false };
        let step = GuideStep { thread: 0, marks: vec![mark], given: vec![given], written: Vec::new() };
        let target = Some(("b.h".into(), 1));
        let guide = Guide { threads: vec![thread], steps: vec![step], target, ..Guide::default() };
        let text = guide.text(&[(0x40, "a.c".into(), 7)], &Storage::default());
        assert_eq!(text, "thread main 0\naction 0\nmark 0 0 7 3\ninput 0 8 -1\ntarget 1048577\nline 40 7\n");
    }

    #[test]
    fn what_functions_write_has_a_place() {
        let storage = Storage { statics: vec![("x".into(), 0x4000, 4)], locals: Vec::new() };
        let object = Way { start: WayStart::Argument(1), pointers: vec![8, 0] };
        let mut written = Written {
            file: "a.c".into(),
            line: 3,
            call: 2,
            function: "f".into(),
            object,
            offset: 4,
            size: 2,
            bits: Some((3, 5)),
            value: Some(-1),
            is_read: false,
            is_atomic: true,
        };
        assert_eq!(written.text(&storage), "2 f a1>8>0 4 2 3 5 2 -1");
        written.object = Way { start: WayStart::Variable("x".into()), pointers: Vec::new() };
        assert_eq!(written.text(&storage), "2 f =4000 4 2 3 5 2 -1");
    }
}
