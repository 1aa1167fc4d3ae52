//! Programs put together from the tables under `parts`: one part for each construct of C and each group of library functions.
//!
//! A part is C with holes. `$e` is an expression, `$x` one with an effect, `$c` a constant, `$n` a number from 1 to 4 (`$m`: the same one
//! everywhere in the part), `$t` an integer type, `$(a$|b$)` one of several texts; a `#` after a letter numbers the part's names.
//! `CHECK(e);` is a place where a value is looked at; later expressions use it, so it must not depend on the environment whether that place is
//! reached. Parts have no undefined behaviour, unless an expression overflows.

use super::expressions::expression;
use super::generate::{Features, Generator, Program, mark, pick};
use braid_testkit::Random;
use std::fmt::Write;

/// A construct, and the C that uses it. The sections of a part are where its lines go.
pub struct Part {
    pub title: &'static str,
    sections: Vec<(&'static str, &'static str)>,
}

/// All parts.
pub struct Tables {
    /// What one thread does in a number of steps that its inputs fix.
    pub sequential: Vec<Part>,
    /// What one thread does that depends on inputs in many ways. Engines search through these, so programs of these parts are small.
    pub inputs: Vec<Part>,
    /// What starts threads and waits for them, or is tried until it succeeds. Engines search through interleavings there, so programs
    /// of these parts are small.
    pub threads: Vec<Part>,
    /// What two threads do at the same time.
    pub concurrent: Vec<Part>,
}

impl Tables {
    pub fn new() -> Tables {
        let sequential = [
            include_str!("parts/language.parts"),
            include_str!("parts/library.parts"),
            include_str!("parts/text.parts"),
            include_str!("parts/system.parts"),
            include_str!("parts/names.parts"),
            include_str!("parts/atomics.parts"),
            include_str!("parts/locks.parts"),
        ];
        let sequential = sequential.into_iter().flat_map(read).collect();
        let inputs = read(include_str!("parts/inputs.parts"));
        let [threads, concurrent] = [include_str!("parts/threads.parts"), include_str!("parts/concurrent.parts")];
        Tables { sequential, inputs, threads: read(threads), concurrent: read(concurrent) }
    }
}

fn read(table: &'static str) -> Vec<Part> {
    let parts = table.split("=== ").skip(1);
    let part = |text: &'static str| {
        let (title, rest) = text.split_once('\n').expect("a part has a title");
        let mut sections = rest.split("---");
        let globals = ("globals", sections.next().expect("a part has a text"));
        let named = sections.map(|section| {
            let (name, text) = section.split_once('\n').expect("a section has a text");
            (name.trim(), text)
        });
        Part { title, sections: [globals].into_iter().chain(named).collect() }
    };
    parts.map(part).collect()
}

impl Part {
    fn section(&self, name: &str) -> &'static str {
        self.sections.iter().find(|section| section.0 == name).map_or("", |section| section.1)
    }
}

/// The parts of one program. All come equally often: they are dealt from packs in which each is once.
pub fn deal<'p>(pack: &[&'p Part], number: u64, size: usize) -> Vec<&'p Part> {
    let card = |at: usize| {
        let mut order: Vec<usize> = (0..pack.len()).collect();
        let mut random = Random((at / pack.len()) as u64 * 0x9e37_79b9 + 0x1234_5678_9abc_def1);
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last + 1));
        }
        pack[order[at % pack.len()]]
    };
    (0..size.min(pack.len())).map(|at| card(number as usize * size + at)).collect()
}

/// The integer types.
pub const TYPES: [&str; 11] = [
    "int",
    "unsigned",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "_Bool",
    "long",
    "unsigned long",
    "long long",
];

/// How many variables there are that only effects change.
const COUNTERS: usize = 6;

/// Fills the holes of parts.
struct Writer<'r> {
    random: &'r mut Random,
    sites: usize,
    /// Are the values that were looked at used again?
    reuse: bool,
}

impl Writer<'_> {
    fn expression(&mut self) -> String {
        let features = Features { bits: self.random.below(3) == 0, ..Features::default() };
        let mut g = Generator::new(self.random, features);
        g.locals = ["v0", "v1", "v2", "c0", "h0"].map(str::to_owned).to_vec();
        format!("({})", expression(&mut g, 2))
    }

    fn effect(&mut self, counter: usize) -> String {
        let form = pick(self.random, &["K++", "++K", "(K += 2)", "step(&K)", "(K++, K & 7)", "(step(&K) + 1)"]);
        form.replace('K', &format!("k{}", counter % COUNTERS))
    }

    /// The text without holes. What names end with is `number`; `fixed` is the value of `$m`, `effects` how many effects there were.
    fn fill(&mut self, text: &str, number: usize, fixed: usize, effects: &mut usize) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['$', '#']) {
            filled.push_str(&rest[..at]);
            if rest[at..].starts_with('#') {
                if filled.ends_with(|before: char| before.is_alphanumeric() || before == '_') {
                    let _ = write!(filled, "_{number}_");
                } else {
                    filled.push('#');
                }
                rest = &rest[at + 1..];
                continue;
            }
            let hole = rest[at + 1..].chars().next().expect("a hole has a kind");
            rest = &rest[at + 2..];
            match hole {
                'e' => filled.push_str(&self.expression()),
                'x' => {
                    filled.push_str(&self.effect(*effects));
                    *effects += 1;
                }
                'c' => {
                    let value = self.random.below(14) as i64 - 4;
                    filled.push_str(&if value < 0 { format!("({value})") } else { value.to_string() });
                }
                'n' => filled.push_str(&(1 + self.random.below(4)).to_string()),
                'm' => filled.push_str(&fixed.to_string()),
                't' => filled.push_str(pick(self.random, &TYPES)),
                '(' => {
                    let (choice, behind) = rest.split_once("$)").expect("a choice ends");
                    let texts: Vec<&str> = choice.split("$|").collect();
                    let chosen = pick(self.random, &texts);
                    filled.push_str(&self.fill(chosen, number, fixed, effects));
                    rest = behind;
                }
                _ => unreachable!("no such hole: {hole}"),
            }
        }
        filled + rest
    }

    /// The text with marks instead of checks.
    fn marked(&mut self, text: &str) -> String {
        let mut marked = String::new();
        let mut pieces = text.split("CHECK(");
        marked.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            let end = closing(piece);
            let site = self.sites;
            self.sites += 1;
            let reuse = if self.reuse { format!("v{} = o{site} % 7; ", site % 3) } else { String::new() };
            let _ = write!(marked, "{{ long o{site} = {}; {reuse}{} }}", &piece[..end], mark(site));
            marked.push_str(&piece[end + 2..]);
        }
        marked
    }
}

/// Where the parenthesis ends that the text is inside of.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 0 => return at,
            ')' => depth -= 1,
            _ => {}
        }
    }
    unreachable!("a check ends: {text}")
}

const HEAD: &str = "#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void observe(int site, long value);
int v0 = 1, v1 = 2, v2 = 3, k0, k1, k2, k3, k4, k5;
unsigned char c0 = 7;
short h0 = -2;
enum colour { RED, GREEN = 3, BLUE };
static int step(int *k) { *k += 1; return *k % 5; }
";

/// The line before what belongs to a part.
pub const SIGN: &str = "// part ";

/// A program that does what its parts say, one after the other.
pub fn sequential(parts: &[&Part], random: &mut Random) -> Program {
    let mut writer = Writer { random, sites: 0, reuse: true };
    let (mut text, mut main) = (HEAD.to_owned(), String::new());
    for (number, part) in parts.iter().enumerate() {
        let (fixed, mut effects) = (1 + writer.random.below(4), 0);
        let sign = format!("{SIGN}{number}: {}\n", part.title);
        let globals = writer.fill(part.section("globals"), number, fixed, &mut effects);
        let body = writer.fill(part.section(""), number, fixed, &mut effects);
        let body = writer.marked(&body);
        let _ = write!(text, "{sign}{globals}static void part{number}(void) {{\n{body}");
        for counter in 0..effects.min(COUNTERS) {
            let check = writer.marked(&format!("CHECK(k{counter});\n"));
            text.push_str(&check);
        }
        text.push_str("}\n");
        let _ = writeln!(main, "part{number}();");
    }
    let _ = write!(text, "{SIGN}\nint main(void) {{\n{main}return 0;\n}}\n");
    Program { text, sites: writer.sites }
}

/// A program of rounds: two threads do what one or two of the parts say, and when they have ended the next round begins.
pub fn concurrent(parts: &[&Part], random: &mut Random) -> Program {
    let mut writer = Writer { random, sites: 0, reuse: false };
    let (mut text, mut main) = (HEAD.to_owned(), String::new());
    let (mut next, mut round) = (0, 0);
    while next < parts.len() {
        let size = (1 + writer.random.below(2)).min(parts.len() - next);
        writer.round(&parts[next..next + size], (next, round), &mut text, &mut main);
        (next, round) = (next + size, round + 1);
    }
    let _ = write!(text, "int main(void) {{\n{main}return 0;\n}}\n");
    Program { text, sites: writer.sites }
}

impl Writer<'_> {
    /// Writes a round; the first of its parts and the round itself have these numbers.
    fn round(&mut self, parts: &[&Part], (first_part, round): (usize, usize), text: &mut String, main: &mut String) {
        let [mut before, mut first, mut second, mut after] = [const { String::new() }; 4];
        for (number, part) in (first_part..).zip(parts) {
            let (fixed, mut effects) = (1 + self.random.below(4), 0);
            let sign = format!("{SIGN}{number}: {}\n", part.title);
            let globals = self.fill(part.section("globals"), number, fixed, &mut effects);
            text.push_str(&(sign.clone() + &globals));
            let places =
                [("before", &mut before), ("first", &mut first), ("second", &mut second), ("after", &mut after)];
            for (name, place) in places {
                let body = self.fill(part.section(name), number, fixed, &mut effects);
                place.push_str(&(sign.clone() + &self.marked(&body)));
            }
        }
        for (name, body) in [("first", first), ("second", second)] {
            let _ = write!(text, "static void *{name}{round}(void *argument) {{\n{body}{SIGN}\nreturn 0;\n}}\n");
        }
        let (mains, other) = if self.random.below(2) == 0 {
            (format!("second{round}(0);"), String::new())
        } else {
            let start = format!("pthread_t u{round}; pthread_create(&u{round}, 0, second{round}, 0);");
            (start, format!("pthread_join(u{round}, 0);"))
        };
        let _ = write!(
            main,
            "pthread_t t{round};\n{before}{SIGN}\npthread_create(&t{round}, 0, first{round}, 0);\n{mains}\n\
             pthread_join(t{round}, 0);\n{other}\n{after}{SIGN}\n"
        );
    }
}
