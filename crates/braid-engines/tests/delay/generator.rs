//! Random asynchronous programs over truth values, as text: in Boogie tasks switch at yields and waits, in Braid's own language anywhere.
//! A procedure starts and calls only those behind it, and every task is waited for at most once: by who started it, or by a task that was
//! given its handle. Handles are copied, and kept in a global variable. Some programs have assertions.

use braid_frontend::Language;
use braid_program::Random;
use std::fmt::Write;

const PROCEDURES: usize = 3;

struct Generator<'r> {
    random: &'r mut Random,
    language: Language,
    /// How many statements may still come.
    budget: usize,
    text: String,
    /// The handles of the procedure at hand that name a task nobody waits for.
    handles: Vec<String>,
    next_handle: usize,
    /// Which procedures are given a task to wait for.
    awaits: [bool; PROCEDURES + 1],
    /// How many tasks a procedure starts, those that its tasks and calls start included.
    starts: [usize; PROCEDURES + 1],
    /// Are there assertions?
    asserts: bool,
}

/// A random program.
pub struct Generated {
    pub text: String,
    /// The names of its global variables.
    pub globals: [&'static str; 2],
    /// It starts at most this many tasks.
    pub tasks: usize,
}

pub fn program(seed: u64, language: Language) -> Generated {
    let mut random = Random::new(seed);
    let awaits = std::array::from_fn(|number| number > 1 && random.below(3) == 0);
    let mut generator = Generator {
        random: &mut random,
        language,
        budget: 0,
        text: String::new(),
        handles: Vec::new(),
        next_handle: 0,
        awaits,
        starts: [0; PROCEDURES + 1],
        asserts: seed.is_multiple_of(3),
    };
    generator.declarations();
    for number in (0..=PROCEDURES).rev() {
        generator.procedure(number);
    }
    Generated { tasks: generator.starts[0], text: generator.text, globals: ["a", "b"] }
}

impl Generator<'_> {
    fn boogie(&self) -> bool {
        self.language == Language::Boogie
    }

    fn line(&mut self, boogie: &str, braid: &str) {
        let line = if self.boogie() { boogie } else { braid };
        let _ = writeln!(self.text, "  {line}");
    }

    fn declarations(&mut self) {
        if self.boogie() {
            self.text.push_str("type task a;\nvar a: bool;\nvar b: bool;\nvar kept: task bool;\n");
        } else {
            self.text.push_str("(var a b Bool)\n(var kept Int)\n");
        }
    }

    fn procedure(&mut self, number: usize) {
        self.budget = if number == 0 { 5 } else { 2 };
        self.handles.clear();
        self.next_handle = 0;
        let before = std::mem::take(&mut self.text);
        if number == 0 {
            self.line("a := false;", "(set! a false)");
            self.line("b := false;", "(set! b false)");
        }
        let waits_at = if self.awaits[number] { self.random.below(2) } else { 2 };
        for part in 0..2 {
            while self.budget > 2 * (1 - part) {
                self.statement(number, 2);
            }
            if part == waits_at {
                self.line("assume {:wait x, h} true;", "(wait (x) h)");
            }
        }
        if number > 0 {
            let value = self.expression();
            self.line(&format!("r := {};", value.0), &format!("(set! r {})", value.1));
        }
        let body = std::mem::replace(&mut self.text, before);
        let handles: Vec<String> = (0..self.next_handle).map(|handle| format!("t{handle}")).collect();
        let awaited = self.awaits[number];
        if self.boogie() {
            let name = if number == 0 { "main".to_owned() } else { format!("p{number}") };
            let parameter = if awaited { "h: task bool" } else { "" };
            let results = if number == 0 { "" } else { "returns (r: bool) " };
            let _ = writeln!(self.text, "procedure {name}({parameter}) {results}modifies a, b, kept; {{");
            let _ = writeln!(self.text, "  var x: bool;");
            handles.iter().for_each(|handle| {
                let _ = writeln!(self.text, "  var {handle}: task bool;");
            });
            let _ = writeln!(self.text, "  x := false;\n{body}}}");
        } else {
            let parameter = if awaited { "(h Int)" } else { "" };
            let (name, results) =
                if number == 0 { ("main".to_owned(), "()") } else { (format!("p{number}"), "((r Bool))") };
            let _ = writeln!(self.text, "(proc {name} ({parameter}) {results} (declare (x Bool)");
            handles.iter().for_each(|handle| {
                let _ = writeln!(self.text, "  (declare ({handle} Int)");
            });
            let _ = writeln!(self.text, "  (set! x false)\n{body}{})) ", ")".repeat(handles.len()));
        }
    }

    /// In Boogie and in Braid's own language.
    fn expression(&mut self) -> (String, String) {
        let atoms = ["a", "b", "x"];
        let (p, q) = (atoms[self.random.below(3)], atoms[self.random.below(3)]);
        match self.random.below(6) {
            0 => ("true".into(), "true".into()),
            1 => (p.into(), p.into()),
            2 => (format!("!{p}"), format!("(not {p})")),
            3 => (format!("({p} && {q})"), format!("(and {p} {q})")),
            4 => (format!("({p} || !{q})"), format!("(or {p} (not {q}))")),
            _ => (format!("({p} == {q})"), format!("(= {p} {q})")),
        }
    }

    fn statement(&mut self, number: usize, depth: usize) {
        self.budget = self.budget.saturating_sub(1);
        if self.boogie() && self.random.below(2) == 0 {
            self.line("assume {:yield} true;", "");
        }
        let (value, value2) = self.expression();
        match self.random.below(11) {
            0 | 1 => self.line(&format!("a := {value};"), &format!("(set! a {value2})")),
            2 | 3 => self.line(&format!("b := {value};"), &format!("(set! b {value2})")),
            4 => self.line(&format!("x := {value};"), &format!("(set! x {value2})")),
            5 if depth > 0 => {
                self.line(&format!("if ({value}) {{"), &format!("(if {value2} (seq"));
                self.statement(PROCEDURES, depth - 1);
                self.line("} else {", ") (seq");
                self.statement(PROCEDURES, depth - 1);
                self.line("}", "))");
            }
            10 if self.asserts => self.line(&format!("assert {value};"), &format!("(assert {value2})")),
            10 if number == 0 && depth == 2 && !self.handles.is_empty() => self.keep(),
            6 if self.random.below(3) == 0 => {
                self.line(&format!("assume {value};"), &format!("(assume {value2})"));
            }
            7 if !self.handles.is_empty() && depth == 2 => {
                let handle = self.handles.remove(self.random.below(self.handles.len()));
                self.line(&format!("assume {{:wait x, {handle}}} true;"), &format!("(wait (x) {handle})"));
            }
            6..=9 if number < PROCEDURES && depth == 2 => self.start(number),
            _ => self.line("havoc x;", "(havoc! x)"),
        }
    }

    /// Copies a handle, now and then to a global variable, and forgets the old one.
    fn keep(&mut self) {
        let place = self.random.below(self.handles.len());
        let old = self.handles.remove(place);
        let new = if self.random.below(2) == 0 && !self.text.contains("kept") {
            "kept".to_owned()
        } else {
            self.next_handle += 1;
            format!("t{}", self.next_handle - 1)
        };
        self.line(&format!("{new} := {old};"), &format!("(set! {new} {old})"));
        self.handles.push(new);
    }

    /// A task, or now and then a call.
    fn start(&mut self, number: usize) {
        let callee = number + 1 + self.random.below(PROCEDURES - number);
        let argument = if self.awaits[callee] {
            // Without a task to hand on there is nothing to start.
            let Some(handle) = self.handles.pop() else { return };
            handle
        } else {
            String::new()
        };
        self.starts[number] += self.starts[callee];
        if self.random.below(4) == 0 {
            self.line(&format!("call x := p{callee}({argument});"), &format!("(call (x) p{callee} {argument})"));
        } else {
            let handle = format!("t{}", self.next_handle);
            self.next_handle += 1;
            self.starts[number] += 1;
            self.line(
                &format!("call {{:async {handle}}} x := p{callee}({argument});"),
                &format!("(async {handle} p{callee} {argument})"),
            );
            self.handles.push(handle);
        }
    }
}
