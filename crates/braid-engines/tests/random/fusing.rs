//! Fused against not fused, and both against the naive enumerator, on random programs that are all locks, forks and joins:
//! the same verdict. All variables are initialised, so that there are few states, and many programs can be tried.
//! Numbers are spent as in `generator`.

use crate::cases;
use crate::naive::{Found, Naive};
use braid_engines::explicit::Explicit;
use braid_engines::{Control, Engine, Task, Verdict};
use braid_frontend::Language;
use braid_logic::TermPool;
use braid_program::ast::Program;
use braid_program::{LowerOptions, lower};
use braid_testkit::{Choices, parsed};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::Cell;
use std::fmt::Write;

/// What a thread does; `h` is its own.
const STEPS: [&str; 21] = [
    "(set! x (mod (+ x 1) 3))",
    "(set! h x)",
    "(set! x h)",
    "(set! x (mod (+ h 1) 3))",
    "(assert (/= x 2))",
    "(set! y x)",
    "(set! y (mod (+ y 1) 3))",
    "(set! h y)",
    "(set! y h)",
    "(assert (= x y))",
    "(assume (= y 1))",
    "(assume (= h 1))",
    "(set! x 1)",
    "(set! y 1)",
    "(set! z h)",
    "(set! h (mod (+ h z) 2))",
    "(assert (/= z 1))",
    "(set! (x h) (h x))",
    "(havoc! b)",
    "(if b (set! h 1) (set! y 2))",
    "(assert (or b (= h 0)))",
];

struct Generator<'a> {
    choices: Choices<'a>,
    text: String,
    /// The steps that the program is made of, by number.
    palette: Vec<usize>,
    budget: usize,
    handles: usize,
}

/// A program out of numbers.
fn program(numbers: &[u8]) -> String {
    let mut generator = Generator {
        choices: Choices::new(numbers),
        text: String::from("(var m n x y z q Int) (var b Bool)\n"),
        palette: Vec::new(),
        budget: 0,
        handles: 0,
    };
    generator.palette = (0..4).map(|_| generator.below(STEPS.len())).collect();
    for worker in 0..3 {
        let _ = write!(generator.text, "(proc w{worker} ((h Int)) ((r Int)) (set! r 0)");
        generator.budget = 4;
        generator.block(3, 1 + worker / 2, worker);
        generator.text.push_str(" (set! r (mod (+ h x) 2)))\n");
    }
    generator
        .text
        .push_str("(proc main () () (declare (h Int) (declare (t0 Int) (declare (t1 Int) (declare (t2 Int)\n");
    generator.text.push_str("(set! (m n x y z q h t0 t1 t2 b) (0 0 0 0 0 0 0 0 0 0 false))");
    generator.budget = 6;
    for _ in 0..generator.below(3) {
        generator.start();
    }
    for _ in 0..1 + generator.below(5) {
        generator.main();
    }
    let last = ["(assert (/= x 2))", "(assert (= x y))", "(assert (= z 0))", "(assert (/= h 1))"][generator.below(4)];
    generator.write(format_args!("\n{last})))))"));
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

    fn step(&mut self) {
        let number = self.below(self.palette.len());
        self.write(STEPS[self.palette[number]]);
    }

    fn start(&mut self) {
        let (handle, worker, argument) = (self.handles, self.below(3), self.below(2));
        self.handles += 1;
        self.write(format_args!("\n(async t{handle} w{worker} {argument})"));
    }

    fn main(&mut self) {
        match self.below(8) {
            0..=2 if self.handles < 3 => self.start(),
            3 | 4 if self.handles > 0 => {
                let (handle, result) = (self.below(self.handles), ["()", "(h)", "(x)"][self.below(3)]);
                self.write(format_args!("\n(wait {result} t{handle})"));
            }
            5 => {
                self.text.push_str("\n(loop (par (seq");
                self.block(2, 1, 0);
                let test = ["b", "true"][self.below(2)];
                self.write(format_args!(
                    ") (declare (k Int) (seq (if (= q 0) (seq (assume (= k 0)) (set! q 1)) (if {test} (assert (= k 0)))) (set! k 1)"
                ));
                self.block(1, 1, 0);
                self.text.push_str("))))");
            }
            _ => self.block(2, 2, 0),
        }
    }

    /// Statements. A worker starts only workers before it.
    fn block(&mut self, most: usize, depth: usize, workers: usize) {
        for _ in 0..=self.below(most) {
            self.stmt(depth, workers);
        }
    }

    fn stmt(&mut self, depth: usize, workers: usize) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        match if depth == 0 { self.below(5) } else { self.below(10) } {
            0 | 1 => self.step(),
            2..=4 => self.section(depth),
            5 | 9 if workers > 0 => {
                let (worker, argument) = (self.below(workers), self.below(2));
                self.write(format_args!("(declare (t Int) (async t w{worker} {argument})"));
                self.block(1, 0, 0);
                let end = [")", "(wait () t))", "(wait (h) t))"][self.below(3)];
                self.write(end);
            }
            6 => self.atomic(workers),
            7 => {
                self.text.push_str(" (loop");
                self.block(2, depth - 1, 0);
                self.text.push(')');
            }
            8 => {
                self.text.push_str(" (cond (seq");
                self.block(2, depth - 1, 0);
                self.text.push_str(") (seq");
                self.block(1, depth - 1, 0);
                self.text.push_str("))");
            }
            _ => self.step(),
        }
    }

    /// An atomic block, most with a loop, some with the start of a thread.
    fn atomic(&mut self, workers: usize) {
        self.text.push_str(" (atomic");
        let kind = self.below(6);
        if kind > 0 {
            self.text.push_str(" (loop");
            self.step();
            self.text.push(')');
        }
        if kind > 3 && workers > 0 {
            let (worker, argument) = (self.below(workers), self.below(2));
            self.write(format_args!("(async _ w{worker} {argument})"));
        }
        (0..=self.below(2)).for_each(|_| self.step());
        self.text.push(')');
    }

    /// A critical section; now and then something is wrong with the lock.
    fn section(&mut self, depth: usize) {
        let lock = ["m", "m", "n"][self.below(3)];
        let fault = self.below(16);
        self.write(match fault {
            12 => format!("(set! {lock} 1)"),
            13 => format!("(set! {lock} 0) (atomic (assume (= {lock} 0)) (set! {lock} 1))"),
            14 => format!("(cond (assume (/= {lock} 0)) (atomic (assume (= {lock} 0)) (set! {lock} 1)))"),
            _ => format!("(atomic (assume (= {lock} 0)) (set! {lock} 1))"),
        });
        for _ in 0..=self.below(3) {
            self.step();
        }
        if depth > 0 && self.below(6) == 5 {
            self.stmt(depth - 1, 0);
        }
        if fault != 15 {
            self.write(format_args!("(set! {lock} 0)"));
        }
    }
}

/// Is the program safe? None if that takes too many states.
fn is_safe(program: &Program, fuse: bool) -> Option<bool> {
    let pool = TermPool::new();
    let automata = lower(program, &pool, LowerOptions { fuse, ..LowerOptions::default() }).expect("it can be lowered");
    let engine = Explicit { states: 20_000, ..Explicit::default() };
    match engine.verify(&Task::new(&automata), &Control::new()).verdict {
        Verdict::Safe(_) => Some(true),
        Verdict::Unsafe(_) => Some(false),
        Verdict::Unknown(_) => None,
    }
}

#[test]
fn fused_programs_have_the_same_verdict() {
    let (safe, violated) = (Cell::new(0), Cell::new(0));
    let cases = cases(6000);
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        max_global_rejects: cases * 10,
        ..ProptestConfig::default()
    };
    let numbers = prop::collection::vec(any::<u8>(), 0..140);
    let result = TestRunner::new(config).run(&numbers, |numbers| {
        let text = program(&numbers);
        let program = parsed(&text, Language::Braid);
        let Some(expected) = is_safe(&program, false) else {
            return Err(TestCaseError::reject("too many states"));
        };
        let naive = Naive::new(&program, 0..=0, 2_000).run();
        let contradicted = if expected { Found::Violation } else { Found::NoViolation };
        prop_assert!(naive != contradicted, "safe: {expected}, naive: {naive:?}\n{text}");
        let found = is_safe(&program, true);
        prop_assert!(found.is_none_or(|found| found == expected), "safe: {expected}, fused: {found:?}\n{text}");
        let counter = if expected { &safe } else { &violated };
        counter.set(counter.get() + 1);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    let (safe, violated) = (safe.get(), violated.get());
    println!("{safe} safe, {violated} violated");
    assert!(safe.min(violated) * 5 > safe + violated, "{safe} safe, {violated} violated");
}
