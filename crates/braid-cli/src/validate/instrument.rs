//! A C text that does what a witness says: additions to it, with all lines where they were.
//!
//! A violation: a variable counts the segments that were passed. At each waypoint it goes one up, in one step with the test
//! of what the waypoint asks for. The target can be reached only after all others were passed. A proof: invariants become
//! assertions. Either way, what is then shown of the text is shown of the witness.

use super::places::Text;
use super::pure;
use super::witness::{Invariant, Kind, Segment, Waypoint};
use std::ops::Range;

/// A text with additions.
pub struct Instrumented {
    pub text: String,
    /// Where the targets are in the new text.
    pub claims: Vec<Range<usize>>,
    /// Where the invariants are in the new text, in their order.
    pub asserted: Vec<Range<usize>>,
    /// Is every target an error by itself, whenever it is reached?
    pub is_exact: bool,
}

const BEGIN: &str = "__VERIFIER_atomic_begin(); ";
const END: &str = "__VERIFIER_atomic_end(); ";
const ERRORS: [&str; 3] = ["reach_error", "__VERIFIER_error", "__assert_fail"];

/// What stands before all else.
const DECLARATIONS: &str = "extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); ";

/// An addition at a byte. Of several at one byte, those come first that end something, then by rank and order.
struct Addition {
    at: usize,
    rank: u8,
    order: i64,
    text: String,
    /// The invariant that is checked.
    checks: Option<usize>,
}

impl Addition {
    fn new(at: usize, rank: u8, text: impl Into<String>) -> Addition {
        Addition { at, rank, order: 0, text: text.into(), checks: None }
    }
}

const CLOSES: u8 = 0;
const STATEMENT: u8 = 1;
const CALL: u8 = 2;

struct Additions<'t> {
    text: &'t Text<'t>,
    list: Vec<Addition>,
    /// Does the property speak of accesses? Then the test of a waypoint must not be one.
    is_about_races: bool,
}

/// How the target is restricted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// It has a copy for the executions that come to it too early.
    Copied,
    /// Executions that come to it too early end.
    Single,
}

/// The text with a counter of segments.
pub fn violation(
    text: &Text<'_>,
    segments: &[Segment],
    is_about_races: bool,
    way: Target,
) -> Result<Instrumented, String> {
    let mut additions = Additions { text, list: Vec::new(), is_about_races };
    let (last, others) = segments.split_last().ok_or("there are no segments")?;
    let mut threads = 1;
    for (number, segment) in others.iter().enumerate() {
        for avoided in &segment.avoid {
            additions.avoid(number, avoided)?;
        }
        for waypoint in &segment.follow {
            additions.follow(number, waypoint, &mut threads)?;
        }
    }
    let (mut targets, mut is_exact) = (Vec::new(), true);
    for (number, target) in last.follow.iter().enumerate() {
        let statement = text.statement(&target.location)?;
        // Two threads can race in one statement.
        let mut threads = vec![is_thread(target.thread)];
        for other in last.follow.iter().skip(number + 1) {
            if text.statement(&other.location)? == statement {
                threads.push(is_thread(other.thread));
            }
        }
        if targets.contains(&statement.bytes) {
            continue;
        }
        let words = text.words(&statement.bytes);
        let any: Vec<String> = threads.iter().map(|thread| format!("(1{thread})")).collect();
        let condition = format!("__braid_segment == {} && ({})", others.len(), any.join(" || "));
        let is_error = words.first().is_some_and(|word| ERRORS.contains(word));
        if way == Target::Copied && !is_error && statement.head == statement.bytes.end && is_expression(&words) {
            // The statement may be done before, too: that is another copy of it.
            let copy = format!(" }} else {{ {} }} }}", text.slice(&statement.bytes));
            additions.around(&statement.bytes, format!("{{ if ({condition}) {{ "), copy);
        } else {
            is_exact &= is_error;
            additions.before(&statement, format!("__braid_assume({condition}); "));
        }
        targets.push(statement.bytes);
    }
    let waypoints = segments.iter().flat_map(|segment| segment.follow.iter().chain(&segment.avoid));
    if waypoints.filter_map(|waypoint| waypoint.thread).any(|thread| thread >= threads) {
        return Err("a thread moves that no waypoint starts".to_owned());
    }
    if segments.iter().flat_map(|segment| &segment.follow).any(|waypoint| waypoint.thread.is_some()) {
        let main = text.entry("main").ok_or("there is no function main")?;
        additions.list.push(Addition::new(main, STATEMENT, "__braid_thread_0 = pthread_self(); "));
    }
    let mut declarations = format!("{DECLARATIONS}extern unsigned long pthread_self(void); ");
    declarations += "extern void __VERIFIER_assume(int); _Atomic int __braid_segment; ";
    declarations += "static void __braid_assume(int __braid_holds) { __VERIFIER_assume(__braid_holds); } ";
    for thread in 0..threads {
        declarations += &format!("_Atomic unsigned long __braid_thread_{thread} = ~0ul; ");
    }
    Ok(additions.applied(&declarations, &targets, is_exact))
}

/// The text with invariants as assertions.
pub fn correctness(text: &Text<'_>, invariants: &[Invariant]) -> Result<Instrumented, String> {
    let mut additions = Additions { text, list: Vec::new(), is_about_races: false };
    for (number, Invariant { is_loop, location, value }) in invariants.iter().enumerate() {
        pure::check(value)?;
        let check = format!("{BEGIN}if (!({value})) reach_error(); {END}");
        let statement = text.statement(location)?;
        let first = additions.list.len();
        match statement.is_loop && *is_loop {
            true => additions.each_round(&statement, &check)?,
            false => additions.before(&statement, check),
        }
        additions.list[first].checks = Some(number);
    }
    Ok(additions.applied(&format!("{DECLARATIONS}extern void reach_error(void); "), &[], true))
}

/// Is a statement an assignment or a call, and no declaration?
fn is_expression(words: &[&str]) -> bool {
    let is_name = words.first().is_some_and(|word| word.starts_with(|c: char| c == '_' || c.is_alphabetic()));
    is_name && words.get(1).is_some_and(|mark| ["(", "=", "+", "-", "[", "."].contains(mark))
}

/// The test for a thread.
fn is_thread(thread: Option<usize>) -> String {
    thread.map_or(String::new(), |number| format!(" && __braid_thread_{number} == pthread_self()"))
}

impl Additions<'_> {
    fn follow(&mut self, number: usize, waypoint: &Waypoint, threads: &mut usize) -> Result<(), String> {
        let Waypoint { kind, thread, location, constraint } = waypoint;
        pure::check(constraint)?;
        let pass = |holds: &str| {
            let and = if holds.is_empty() { String::new() } else { format!(" && ({holds})") };
            format!("if (__braid_segment == {number}{}{and}) __braid_segment = {};", is_thread(*thread), number + 1)
        };
        let holds = if self.is_about_races { "" } else { constraint.as_str() };
        match kind {
            Kind::Assumption => {
                let statement = self.text.statement(location)?;
                self.before(&statement, format!("{BEGIN}{} {END}", pass(holds)));
            }
            Kind::After => {
                let statement = self.text.statement(location)?;
                self.after(&statement, format!(" {BEGIN}{} {END}", pass(holds)));
            }
            Kind::Branching => {
                let statement = self.text.statement(location)?;
                let taken = match constraint.as_str() {
                    "true" => "__braid_taken",
                    "false" => "!__braid_taken",
                    _ => return Err("a branching that is neither true nor false is not supported".to_owned()),
                };
                let condition = self.text.condition(&statement).ok_or("a branching is at no condition")?;
                let start = "({ int __braid_taken = ((".to_owned();
                let end = format!(") != 0); {BEGIN}{} {END}__braid_taken; }})", pass(taken));
                self.around(&condition, start, end);
            }
            Kind::FunctionEnter => {
                let call = self.text.call(location, "pthread_create")?;
                if call.name != "pthread_create" {
                    let statement = self.text.statement(location)?;
                    self.before(&statement, format!("{BEGIN}{} {END}", pass("")));
                    return Ok(());
                }
                let handle = self.text.argument(&call).ok_or("pthread_create has no argument")?;
                let registered = format!(
                    "if (__braid_segment == {number}{}) {{ __braid_segment = {}; __braid_thread_{threads} = *({handle}); }}",
                    is_thread(*thread),
                    number + 1
                );
                *threads += 1;
                let end = format!("; {registered} {END}__braid_created; }})");
                self.around(&call.bytes, format!("({{ {BEGIN}int __braid_created = "), end);
            }
            Kind::FunctionReturn => {
                let call = self.text.call(location, "__VERIFIER_nondet")?;
                let text = self.text.slice(&call.bytes).to_owned();
                let holds = constraint.replace("\\result", "__braid_result");
                let start = format!("({{ __typeof__({text}) __braid_result = ");
                self.around(&call.bytes, start, format!("; {BEGIN}{} {END}__braid_result; }})", pass(&holds)));
            }
            Kind::Target => return Err("a target is not in the last segment".to_owned()),
        }
        Ok(())
    }

    /// While a segment is waited for, a waypoint must not be passed.
    fn avoid(&mut self, number: usize, waypoint: &Waypoint) -> Result<(), String> {
        if waypoint.kind != Kind::Assumption || self.is_about_races {
            return Err("only assumptions can be avoided".to_owned());
        }
        let statement = self.text.statement(&waypoint.location)?;
        pure::check(&waypoint.constraint)?;
        let (thread, holds) = (is_thread(waypoint.thread), &waypoint.constraint);
        self.before(&statement, format!("__braid_assume(!(__braid_segment == {number}{thread} && ({holds}))); "));
        Ok(())
    }

    /// Code before a statement.
    fn before(&mut self, statement: &super::places::Statement, code: String) {
        let Range { start, end } = statement.bytes;
        if statement.in_block {
            self.list.push(Addition::new(start, STATEMENT, code));
            return;
        }
        self.list.push(Addition::new(start, STATEMENT, format!("{{ {code}")));
        self.list.push(Addition::new(end, CLOSES, " }"));
    }

    fn after(&mut self, statement: &super::places::Statement, code: String) {
        let Range { start, end } = statement.bytes;
        if statement.in_block {
            self.list.push(Addition::new(end, CLOSES, code));
            return;
        }
        self.list.push(Addition::new(start, STATEMENT, "{ "));
        self.list.push(Addition::new(end, CLOSES, format!("{code} }}")));
    }

    /// Code around an expression.
    fn around(&mut self, bytes: &Range<usize>, start: String, end: String) {
        // What is opened last is closed first.
        let order = -(self.list.len() as i64);
        self.list.push(Addition::new(bytes.start, CALL, start));
        self.list.push(Addition { order, ..Addition::new(bytes.end, CLOSES, end) });
    }

    /// Code before each test of a loop.
    fn each_round(&mut self, statement: &super::places::Statement, code: &str) -> Result<(), String> {
        let condition = self.text.condition(statement).ok_or("this loop has no condition to look at")?;
        let is_empty = self.text.slice(&condition).trim().is_empty();
        let (start, end) = (format!("({{ {code}("), if is_empty { "1); })" } else { ") != 0; })" });
        self.around(&condition, start, end.to_owned());
        Ok(())
    }

    /// The new text. Ranges of the old one move with it.
    fn applied(mut self, declarations: &str, claims: &[Range<usize>], is_exact: bool) -> Instrumented {
        let start = self.text.first_word();
        self.list.push(Addition::new(start, CLOSES, declarations));
        self.list.sort_by_key(|addition| (addition.at, addition.rank, addition.order));
        let moved = |byte: usize| {
            let before = self.list.iter().filter(|addition| addition.at < byte);
            byte + before.map(|addition| addition.text.len()).sum::<usize>()
        };
        let claims = claims.iter().map(|claim| moved(claim.start)..moved(claim.end)).collect();
        let (mut text, mut at, mut asserted) = (String::new(), 0, Vec::new());
        for addition in &self.list {
            text += self.text.slice(&(at..addition.at));
            asserted.extend(addition.checks.map(|number| (number, text.len()..text.len() + addition.text.len())));
            text += &addition.text;
            at = addition.at;
        }
        asserted.sort_by_key(|(number, _)| *number);
        let asserted = asserted.into_iter().map(|(_, bytes)| bytes).collect();
        text += self.text.slice(&(at..self.text.length()));
        Instrumented { text, claims, asserted, is_exact }
    }
}

#[cfg(test)]
mod tests {
    use super::super::witness::Location;
    use super::*;

    const PROGRAM: &str = "int x;\nint main(void) {\n  if (x)\n    x = f();\n  reach_error();\n}\n";

    fn waypoint(kind: Kind, line: usize, constraint: &str) -> Waypoint {
        let location = Location { line, column: None, offset: None };
        Waypoint { kind, thread: None, location, constraint: constraint.to_owned() }
    }

    /// What a waypoint before the target adds, without the declarations; lines stay where they are.
    fn check(waypoint: Waypoint, expected: &str) {
        let target = self::waypoint(Kind::Target, 5, "");
        let segment = |waypoint| Segment { follow: vec![waypoint], avoid: Vec::new() };
        let text = Text::new(PROGRAM);
        let changed =
            violation(&text, &[segment(waypoint), segment(target)], false, Target::Copied).expect("it can be followed");
        assert_eq!(changed.text.lines().count(), PROGRAM.lines().count());
        let lines: Vec<&str> = changed.text.lines().collect();
        let body = lines[2..5].join("\n").replace(BEGIN, "<").replace(END, ">");
        assert_eq!(body, expected.to_owned() + "\n  __braid_assume(__braid_segment == 1 && ((1))); reach_error();");
        assert!(changed.is_exact && changed.text[changed.claims[0].clone()].ends_with("reach_error();"));
    }

    #[test]
    fn waypoints_become_code() {
        let pass = "if (__braid_segment == 0 && (x > 1)) __braid_segment = 1; ";
        check(waypoint(Kind::Assumption, 3, "x > 1"), &format!("  <{pass}>if (x)\n    x = f();"));
        check(waypoint(Kind::Assumption, 4, "x > 1"), &format!("  if (x)\n    {{ <{pass}>x = f(); }}"));
        check(waypoint(Kind::After, 4, "x > 1"), &format!("  if (x)\n    {{ x = f(); <{pass}> }}"));
        check(
            waypoint(Kind::Branching, 3, "false"),
            "  if (({ int __braid_taken = ((x) != 0); <if (__braid_segment == 0 && (!__braid_taken)) __braid_segment = 1; \
             >__braid_taken; }))\n    x = f();",
        );
        check(
            waypoint(Kind::FunctionReturn, 4, "\\result == 2"),
            "  if (x)\n    x = ({ __typeof__(f()) __braid_result = f(); <if (__braid_segment == 0 && (__braid_result == 2)) \
             __braid_segment = 1; >__braid_result; });",
        );
    }

    #[test]
    fn what_cannot_be_followed_is_said() {
        let text = Text::new(PROGRAM);
        let refused =
            |segments: &[Segment]| violation(&text, segments, false, Target::Single).err().unwrap_or_default();
        let segment = |waypoint| Segment { follow: vec![waypoint], avoid: Vec::new() };
        let target = || segment(waypoint(Kind::Target, 5, ""));
        assert_eq!(refused(&[segment(waypoint(Kind::Assumption, 9, "1")), target()]), "there is no line 9");
        let other = Waypoint { thread: Some(1), ..waypoint(Kind::Assumption, 3, "1") };
        assert_eq!(refused(&[segment(other), target()]), "a thread moves that no waypoint starts");
    }
}
