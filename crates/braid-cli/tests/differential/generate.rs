//! Random programs of C with threads: small, without endless loops, and without undefined behaviour but for overflows, which the
//! programs are compiled to notice.
//!
//! The text has marks where the values of expressions are looked at ([`Program::observing`]); what is claimed of them is put
//! there afterwards ([`Program::claiming`]), when it is known which values come out.

use super::expressions::{condition, expression};
use super::parts::TYPES;
use super::threads::Argument;
use braid_testkit::Random;
use std::fmt::Write;

/// One of the words.
pub fn pick<'a>(random: &mut Random, words: &[&'a str]) -> &'a str {
    words[random.below(words.len())]
}

/// A program with marks.
pub struct Program {
    pub text: String,
    pub sites: usize,
}

impl Program {
    /// The program that reports values.
    pub fn observing(&self) -> String {
        self.filled(|site| format!("observe({site}, o{site});"))
    }

    /// The program with claims, one for each site.
    pub fn claiming(&self, claims: &[String]) -> String {
        self.filled(|site| format!("assert({});", claims[site]))
    }

    fn filled(&self, with: impl Fn(usize) -> String) -> String {
        (0..self.sites).fold(self.text.clone(), |text, site| text.replace(&mark(site), &with(site)))
    }
}

pub fn mark(site: usize) -> String {
    format!("CLAIM_{site};")
}

/// What a program may use.
#[derive(Default)]
pub struct Features {
    /// Operations on bits.
    pub bits: bool,
    /// Values at the ends of types.
    pub wide: bool,
    pub inputs: bool,
    pub atomics: bool,
    pub sections: bool,
    pub mutexes: usize,
    pub semaphore: bool,
    pub condition_variable: bool,
    pub heap: bool,
}

/// What is in scope of the text that is being written.
pub struct Generator<'r> {
    pub random: &'r mut Random,
    pub features: Features,
    /// How many reads of shared memory the current expression may still do.
    pub shared_reads: usize,
    pub text: String,
    pub depth: usize,
    pub globals: Vec<String>,
    pub arrays: Vec<(String, usize)>,
    pub records: Vec<String>,
    /// Pointers to `int` and to records, of the function.
    pub pointers: Vec<String>,
    pub record_pointers: Vec<String>,
    pub locals: Vec<String>,
    pub functions: Vec<(String, usize)>,
    pub sites: usize,
    pub fresh: usize,
    /// Is the text inside of a critical or atomic section, where nothing may block?
    pub protected: bool,
    pub in_atomic: bool,
}

/// A type of a variable, an `int` more often than the others.
fn any_type(random: &mut Random) -> &'static str {
    let often = ["int", "int", "int", "enum colour"];
    pick(random, &[&often[..], &TYPES].concat())
}

/// A random program.
pub fn program(random: &mut Random) -> Program {
    let mut one_in = |n: usize| random.below(n) == 0;
    let features = Features {
        bits: one_in(3),
        wide: one_in(4),
        inputs: one_in(5),
        atomics: one_in(3),
        sections: one_in(3),
        semaphore: one_in(6),
        condition_variable: one_in(8),
        heap: one_in(8),
        mutexes: random.below(3),
    };
    let mut g = Generator::new(random, features);
    g.declarations();
    for number in 0..g.random.below(3) {
        g.function(number);
    }
    let bodies = 1 + g.random.below(2);
    let arguments: Vec<Argument> = (0..bodies).map(|number| g.thread(number)).collect();
    g.main(&arguments);
    Program { text: g.text, sites: g.sites }
}

impl<'r> Generator<'r> {
    pub fn new(random: &'r mut Random, features: Features) -> Generator<'r> {
        Generator {
            random,
            features,
            shared_reads: 0,
            text: String::new(),
            depth: 0,
            globals: Vec::new(),
            arrays: Vec::new(),
            records: Vec::new(),
            pointers: Vec::new(),
            record_pointers: Vec::new(),
            locals: Vec::new(),
            functions: Vec::new(),
            sites: 0,
            fresh: 0,
            protected: false,
            in_atomic: false,
        }
    }

    pub fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:indent$}{line}", "", indent = 2 * self.depth);
    }

    pub fn block(&mut self, head: &str, body: impl FnOnce(&mut Self)) {
        self.line(format!("{head} {{").trim_start());
        self.depth += 1;
        // What is declared inside is gone behind it.
        let (locals, pointers) = (self.locals.len(), self.pointers.len());
        body(self);
        self.locals.truncate(locals);
        self.pointers.truncate(pointers);
        self.depth -= 1;
        self.line("}");
    }

    pub fn name(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.random.below(one_in) == 0
    }

    fn declarations(&mut self) {
        for header in ["assert.h", "pthread.h", "semaphore.h", "stdatomic.h", "stdlib.h"] {
            self.line(&format!("#include <{header}>"));
        }
        for function in [
            "void __VERIFIER_atomic_begin(void)",
            "void __VERIFIER_atomic_end(void)",
            "_Bool __VERIFIER_nondet_bool(void)",
            "int __VERIFIER_nondet_int(void)",
            "unsigned __VERIFIER_nondet_uint(void)",
            "void __VERIFIER_assume(int)",
            "void observe(int site, long value)",
        ] {
            self.line(&format!("extern {function};"));
        }
        self.line("enum colour { RED, GREEN = 3, BLUE };");
        self.line("struct record { int x; unsigned char y; short z; int low : 3; unsigned high : 4; };");
        for number in 0..1 + self.random.below(3) {
            let ty = any_type(self.random);
            let storage = pick(self.random, &["", "", "volatile ", "static "]);
            let name = format!("g{number}");
            let initial = self.random.below(3);
            self.line(&format!("{storage}{ty} {name} = {initial};"));
            self.globals.push(name);
        }
        // Something for pointers to point to.
        self.line("int base = 1;");
        self.globals.push("base".to_owned());
        if self.chance(3) {
            let length = 2 + self.random.below(2);
            let ty = pick(self.random, &["int", "unsigned char", "short"]);
            self.line(&format!("{ty} a[{length}] = {{1, 2}};"));
            self.arrays.push(("a".to_owned(), length));
        }
        if self.chance(3) {
            self.line("struct record s = { .x = 1, .high = 2 };");
            self.records.push("s".to_owned());
        }
        self.line("static int twice(int v) { return 2 * v; }");
        self.line("static int more(int v) { return v + base; }");
        if self.features.atomics {
            self.line("atomic_int n;");
        }
        for mutex in 0..self.features.mutexes {
            self.line(&format!("pthread_mutex_t m{mutex} = PTHREAD_MUTEX_INITIALIZER;"));
        }
        if self.features.semaphore {
            self.line("sem_t tokens;");
        }
        if self.features.condition_variable {
            self.line("int ready;");
            self.line("pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;");
            self.line("pthread_cond_t open = PTHREAD_COND_INITIALIZER;");
        }
    }

    /// A local variable; it is never the counter of a loop.
    pub fn some_local(&mut self) -> Option<String> {
        let count = self.locals.len();
        (count > 0).then(|| self.locals[self.random.below(count)].clone())
    }

    /// A place that other threads may use. Indices are local.
    pub fn shared_place(&mut self) -> String {
        let kinds = [
            self.globals.len(),
            self.arrays.len(),
            self.records.len(),
            self.pointers.len(),
            self.record_pointers.len(),
        ];
        match self.random.below(10) {
            0 | 1 if kinds[1] > 0 => {
                let (array, length) = self.arrays[self.random.below(kinds[1])].clone();
                match self.some_local() {
                    Some(local) if self.chance(2) => format!("{array}[(unsigned){local} % {length}]"),
                    _ => format!("{array}[{}]", self.random.below(length)),
                }
            }
            2 | 3 if kinds[2] > 0 => {
                let record = self.records[self.random.below(kinds[2])].clone();
                format!("{record}.{}", pick(self.random, &MEMBERS))
            }
            4 | 5 if kinds[3] > 0 => format!("*{}", self.pointers[self.random.below(kinds[3])]),
            6 | 7 if kinds[4] > 0 => {
                let pointer = self.record_pointers[self.random.below(kinds[4])].clone();
                format!("{pointer}->{}", pick(self.random, &MEMBERS))
            }
            _ => self.globals[self.random.below(kinds[0])].clone(),
        }
    }

    /// The address of an `int`.
    pub fn address(&mut self) -> String {
        match self.random.below(4) {
            0 if !self.records.is_empty() => "&s.x".to_owned(),
            1 if !self.pointers.is_empty() => self.pointers[self.random.below(self.pointers.len())].clone(),
            _ => "&base".to_owned(),
        }
    }

    /// An expression with at most so many reads of shared memory.
    pub fn value(&mut self, shared: usize, depth: usize) -> String {
        self.shared_reads = shared;
        expression(self, depth)
    }

    pub fn test(&mut self) -> String {
        self.shared_reads = 1;
        condition(self, 1)
    }

    pub fn local(&mut self) {
        let name = self.name("l");
        let ty = any_type(self.random);
        let value = self.value(1, 1);
        self.line(&format!("{ty} {name} = {value};"));
        self.locals.push(name);
    }

    fn function(&mut self, number: usize) {
        let parameters = self.random.below(3);
        let types: Vec<String> = (0..parameters).map(|p| format!("{} p{p}", any_type(self.random))).collect();
        let list = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
        let result = any_type(self.random);
        self.locals = (0..parameters).map(|p| format!("p{p}")).collect();
        self.block(&format!("static {result} f{number}({list})"), |g| {
            let globals = g.globals.len();
            if g.chance(4) {
                g.line("static int calls = 0;");
                g.line("calls++;");
                g.globals.push("calls".to_owned());
            }
            g.statements(2);
            if g.chance(3) {
                let (test, value) = (g.test(), g.value(1, 1));
                g.line(&format!("if ({test}) return {value};"));
            }
            let value = g.value(1, 2);
            g.line(&format!("return {value};"));
            g.globals.truncate(globals);
        });
        self.locals.clear();
        self.functions.push((format!("f{number}"), parameters));
    }

    /// A place where a value is looked at.
    pub fn site(&mut self) {
        let site = self.sites;
        self.sites += 1;
        let first = self.shared_place();
        self.line(&format!("long o{site} = {first};"));
        match self.random.below(3) {
            0 => {}
            1 => {
                let second = self.shared_place();
                self.line(&format!("o{site} += 10 * {second};"));
            }
            _ => {
                let second = self.value(1, 1);
                self.line(&format!("o{site} -= {second};"));
            }
        }
        if self.features.atomics && self.chance(2) {
            self.line(&format!("o{site} += 100 * n;"));
        }
        self.line(&mark(site));
    }
}

pub const MEMBERS: [&str; 5] = ["x", "y", "z", "low", "high"];
