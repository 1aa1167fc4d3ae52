//! What lowering makes of programs that check for data races, against the same programs as they are: the same verdict. The programs are all accesses that announce
//! themselves in flags, under locks of two kinds, in threads that start and end; now and then a lock is missing or used in another way.
//! Numbers are spent as in `generator`.

use crate::cases;
use braid_engines::explicit::Explicit;
use braid_engines::{Control, Engine, Reason, Task, Verdict};
use braid_frontend::Language;
use braid_logic::TermPool;
use braid_program::ast::Program;
use braid_program::cfa::Thread;
use braid_program::{LowerOptions, lower};
use braid_testkit::{Choices, parsed};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::Cell;
use std::fmt::Write;

struct Generator<'a> {
    choices: Choices<'a>,
    text: String,
    budget: usize,
    /// Is nothing known of the number of readers at first, and do readers not care whether it is negative?
    careless: bool,
}

/// A program out of numbers.
fn program(numbers: &[u8]) -> String {
    let text = String::from("(var m n s x y ax ay t0 t1 t2 Int) (var wx wy b Bool)\n");
    let mut generator = Generator { choices: Choices::new(numbers), text, budget: 0, careless: false };
    generator.careless = generator.below(4) == 0;
    for worker in 0..2 {
        let _ = write!(generator.text, "(proc w{worker} ((i Int)) () (seq");
        generator.budget = 3;
        generator.block(1);
        if worker == 1 {
            generator.strange();
        }
        generator.text.push_str("))\n");
    }
    generator.text.push_str("(proc main () () (declare (i Int)\n");
    generator.text.push_str("(set! (n x y ax ay i t0 t1 t2 wx wy b) (0 0 0 0 0 2 0 0 0 false false false))");
    // Nobody holds the locks at first, whatever their values are.
    let m = [0, 0, 0, 1][generator.below(4)];
    let s = if generator.careless { "" } else { "(set! s 0)" };
    generator.write(format_args!("(set! m {m}) {s}"));
    generator.budget = 5;
    if generator.below(2) == 0 {
        return looped(generator);
    }
    let mut started = 0;
    for _ in 0..3 + generator.below(4) {
        match generator.below(4) {
            0 | 1 if started < 2 => {
                let (worker, index) = (generator.below(2), generator.below(2));
                generator.write(format_args!("\n(async t{started} w{worker} {index})"));
                started += 1;
            }
            2 if started > 0 => {
                let handle = generator.below(started);
                generator.write(format_args!("\n(wait () t{handle})"));
            }
            _ => generator.block(1),
        }
    }
    generator.text.push_str("))");
    generator.text
}

/// The end of a program whose first thread counts: before there are others, and where it starts and joins them.
fn looped(mut generator: Generator<'_>) -> String {
    let (rounds, most) = (generator.below(3), 1 + generator.below(3));
    generator.write(format_args!("(set! i 0) (while (< i {rounds}) (seq (set! i (+ i 1)) (set! x (+ x 1))"));
    generator.block(0);
    let step = ["(set! n i)", "(set! n 2)", "(havoc! b) (if b (set! n 1) (set! n 2))"][generator.below(3)];
    generator.write(format_args!(")) {step} (set! i 0)\n(while (< i {most}) (seq"));
    generator.block(0);
    let (worker, index) = (generator.below(2), ["i", "i", "0"][generator.below(3)]);
    let handle = ["t0", "t1"][generator.below(2)];
    generator.write(format_args!("(if (< i n) (async {handle} w{worker} {index})) (set! i (+ i 1))"));
    generator.block(0);
    generator.write("))\n");
    match generator.below(3) {
        0 => generator.write(format_args!("(if (> n 0) (wait () {handle}))")),
        1 => generator.write(format_args!("(while (< 0 n) (seq (wait () {handle}) (set! n (- n 1))))")),
        _ => {}
    }
    generator.block(1);
    generator.text.push_str("))");
    generator.text
}

impl Generator<'_> {
    /// One of `0 .. count`.
    fn below(&mut self, count: usize) -> usize {
        self.choices.below(count)
    }

    fn write(&mut self, text: impl std::fmt::Display) {
        let _ = write!(self.text, " {text}");
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..=self.below(2) {
            self.stmt(depth);
        }
    }

    fn stmt(&mut self, depth: usize) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        match if depth == 0 { self.below(6) } else { self.below(9) } {
            0..=3 if self.careless => self.read_write(depth),
            0 => self.access(),
            1..=3 => self.section(depth),
            4 | 5 => self.read_write(depth),
            6 => {
                self.write("(havoc! b) (if b (seq");
                self.block(depth - 1);
                self.write(") (seq");
                self.block(depth - 1);
                self.write("))");
            }
            _ => {
                self.write("(loop (seq");
                self.block(depth - 1);
                self.write("))");
            }
        }
    }

    /// An access to a variable, or to an element of an array.
    fn access(&mut self) {
        let cell = ["x", "y"][self.below(2)];
        let index = ["i", "i", "0", "1"][self.below(4)];
        let (met, raise) = match self.below(2) {
            0 => (format!("w{cell}"), format!("(set! w{cell} true)")),
            _ => (format!("(and w{cell} (= a{cell} {index}))"), format!("(set! (w{cell} a{cell}) (true {index}))")),
        };
        let kind = self.below(8);
        self.write(match kind {
            0..=3 => format!("(assert (not {met}))"),
            7 => format!("(atomic (assert (not {met})) {raise})"),
            _ => format!("(atomic (assert (not {met})) {raise}) (set! {cell} 1) (set! w{cell} false)"),
        });
    }

    /// A thread that starts another one, or waits for one that it did not start.
    fn strange(&mut self) {
        let what = self.below(8);
        self.write(match what {
            0 => "(async t2 w0 1) (wait () t2)",
            1 => "(async t2 w0 1)",
            2 => "(if (> t0 0) (wait () t0))",
            _ => return,
        });
        self.access();
    }

    fn inside(&mut self, depth: usize) {
        self.access();
        match self.below(6) {
            0 | 1 => self.access(),
            2 if depth > 0 => self.stmt(depth - 1),
            _ => {}
        }
    }

    /// A critical section; now and then something is wrong with the lock.
    fn section(&mut self, depth: usize) {
        let fault = self.below(16);
        self.write(match fault {
            13 => "(set! m 1)",
            14 => "(set! m 0) (atomic (assume (= m 0)) (set! m 1))",
            _ => "(atomic (assume (= m 0)) (set! m 1))",
        });
        self.inside(depth);
        if fault != 15 {
            self.write("(set! m 0)");
        }
    }

    /// A section of a reader or of a writer; now and then something is wrong with the lock.
    fn read_write(&mut self, depth: usize) {
        let fault = self.below(24);
        let writes = self.below(2) == 1;
        let careless = !writes && self.careless;
        self.write(match writes {
            false if careless => "(atomic (assume (/= s (- 1))) (set! s (+ s 1)))",
            false => "(atomic (assume (>= s 0)) (set! s (+ s 1)))",
            true => "(atomic (assume (= s 0)) (set! s (- 1)))",
        });
        let odd = ["(if (<= s 0) (set! s 0))", "(if (= s 0) (set! s 1))", "(if (< s 0) (set! m 0))"];
        if let Some(odd) = odd.get(if careless { 0 } else { self.below(16) }) {
            self.write(odd);
        }
        self.inside(depth);
        self.write(match fault {
            20 => "",
            21 => "(set! s 0)",
            22 => "(set! s (- s 1))",
            23 => "(atomic (assume (/= s 0)) (set! s (+ s 1)))",
            _ => "(atomic (assume (/= s 0)) (if (> s 0) (set! s (- s 1)) (set! s 0)))",
        });
    }
}

/// Is the program safe, and how many errors are left in it? None if that takes too many states.
fn is_safe(program: &Program, fuse: bool) -> Option<(bool, usize)> {
    let pool = TermPool::new();
    let automata = lower(program, &pool, LowerOptions { fuse, ..LowerOptions::default() }).expect("it can be lowered");
    let errors = |thread: &Thread| thread.locations.iter().filter(|location| location.violation.is_some()).count();
    let errors = automata.threads.iter().map(errors).sum();
    let engine = Explicit { states: 20_000, inputs: Some(-3..=2), ..Explicit::default() };
    match engine.verify(&Task::new(&automata), &Control::new()).verdict {
        Verdict::Safe(_) => Some((true, errors)),
        Verdict::Unsafe(_) => Some((false, errors)),
        Verdict::Unknown(Reason::Incomplete(why)) if why.starts_with("no violation for inputs") => Some((true, errors)),
        Verdict::Unknown(_) => None,
    }
}

#[test]
fn assertions_that_go_never_fail() {
    let (safe, violated, settled) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let cases = cases(4000);
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        max_global_rejects: cases * 10,
        ..ProptestConfig::default()
    };
    let numbers = prop::collection::vec(any::<u8>(), 20..120);
    let result = TestRunner::new(config).run(&numbers, |numbers| {
        let text = program(&numbers);
        let program = parsed(&text, Language::Braid);
        let Some((expected, errors)) = is_safe(&program, false) else {
            return Err(TestCaseError::reject("too many states"));
        };
        let Some((found, left)) = is_safe(&program, true) else { return Ok(()) };
        prop_assert!(found == expected, "safe: {expected}, but lowered: {found}\n{text}");
        let counter = if expected { &safe } else { &violated };
        counter.set(counter.get() + 1);
        if expected && errors > 0 && left == 0 {
            settled.set(settled.get() + 1);
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    let (safe, violated, settled) = (safe.get(), violated.get(), settled.get());
    println!("{safe} safe, {settled} of them at a look, {violated} violated");
    assert!(safe.min(violated) * 5 > safe + violated, "{safe} safe, {violated} violated");
    assert!(settled * 4 > safe, "{settled} of {safe} are settled by lowering");
}
