//! Locks taken by any number of threads: where their order proves that there is no deadlock, none is found among a few threads. Numbers are spent as in `generator`.

use crate::cases;
use braid_engines::deadlock::LockOrderOfMany;
use braid_engines::explicit::Explicit;
use braid_engines::{Control, Engine, Structured, Task, Verdict};
use braid_frontend::Language;
use braid_logic::TermPool;
use braid_program::ast::Program;
use braid_program::{LowerOptions, lower};
use braid_testkit::{Choices, parsed};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::Cell;
use std::fmt::Write;

struct Generator<'a> {
    choices: Choices<'a>,
    text: String,
    /// What a thread writes to the locks that it takes.
    mark: &'static str,
    budget: usize,
}

/// A program out of numbers: a loop starts threads that take locks, mostly in one order.
fn program(numbers: &[u8]) -> String {
    let text = String::from("(claim no-deadlock) (var m n o k g h Int) (var b Bool)\n");
    let mut generator = Generator { choices: Choices::new(numbers), text, mark: "(+ me 1)", budget: 0 };
    for worker in 0..2 {
        let _ = write!(generator.text, "(proc w{worker} () () (identity me) (seq");
        generator.budget = 4;
        generator.block(0);
        if worker == 1 {
            let odd = ["(async h w0)", "(wait () h)", "(if (= g 1) (stop))", "(async h w0) (wait () h)"];
            let number = generator.below(16);
            generator.write(odd.get(number).unwrap_or(&""));
        }
        generator.text.push_str("))\n");
    }
    generator.mark = "1";
    generator.budget = 4;
    generator.write("(proc main () () (seq (set! (m n o k g h b) (0 0 0 0 0 0 false))");
    let (rounds, worker) = (1 + generator.below(3), generator.below(2));
    generator.write(format_args!("(while (< k {rounds}) (seq (set! k (+ k 1)) (async h w{worker})"));
    generator.block(0);
    generator.write("))");
    if generator.below(2) == 0 {
        generator.write(format_args!("(async h w{})", 1 - worker));
    }
    generator.block(0);
    if generator.below(2) == 0 {
        generator.write("(wait () h)");
    }
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

    /// Statements of a thread that holds locks up to this one.
    fn block(&mut self, level: usize) {
        for _ in 0..=self.below(2) {
            if self.budget > 0 {
                self.budget -= 1;
                self.stmt(level);
            }
        }
    }

    fn stmt(&mut self, level: usize) {
        match self.below(8) {
            0 => self.write("(set! g (- 1 g))"),
            1 => {
                self.write("(havoc! b) (if b (seq");
                self.block(level);
                self.write(") (seq (set! g 0)))");
            }
            _ => self.section(level),
        }
    }

    /// A section under a lock; now and then the wrong lock, or something is wrong with it.
    fn section(&mut self, level: usize) {
        let fault = self.below(24);
        let lock = match fault {
            0 | 1 => self.below(3),
            _ if level < 3 => level + self.below(3 - level),
            _ => return,
        };
        let (name, mark) = (["m", "n", "o"][lock], self.mark);
        self.write(match fault {
            2 => format!("(atomic (assume (= {name} 0)) (set! {name} {mark}))"),
            _ => format!("(atomic (await (= {name} 0) (- {name} 1)) (set! {name} {mark}))"),
        });
        self.block(lock + 1);
        if fault != 3 {
            self.write(format_args!("(set! {name} 0)"));
        }
    }
}

/// Is there no deadlock among a few threads? None if that takes too many states.
fn is_safe_for_few(program: &Program) -> Option<bool> {
    let pool = TermPool::new();
    let options = LowerOptions { fuse: false, ..LowerOptions::default() };
    let automata = lower(program, &pool, options).expect("it can be lowered");
    let engine = Explicit { states: 20_000, ..Explicit::default() };
    match engine.verify(&Task::new(&automata), &Control::new()).verdict {
        Verdict::Safe(_) => Some(true),
        Verdict::Unsafe(_) => Some(false),
        Verdict::Unknown(_) => None,
    }
}

fn is_safe_by_order(program: &Program) -> bool {
    let pool = TermPool::new();
    let lowering = LowerOptions::default();
    let automata = lower(program, &pool, lowering).expect("it can be lowered");
    let mut task = Task::new(&automata);
    task.structured = Some(Structured { program, lowering });
    matches!(LockOrderOfMany.verify(&task, &Control::new()).verdict, Verdict::Safe(_))
}

#[test]
fn what_is_in_order_for_many_has_no_deadlock_for_few() {
    let (in_order, violated) = (Cell::new(0), Cell::new(0));
    let cases = cases(1000);
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        max_global_rejects: cases * 10,
        ..ProptestConfig::default()
    };
    let numbers = prop::collection::vec(any::<u8>(), 10..80);
    let result = TestRunner::new(config).run(&numbers, |numbers| {
        let text = program(&numbers);
        let program = parsed(&text, Language::Braid);
        let Some(few) = is_safe_for_few(&program) else { return Err(TestCaseError::reject("not known")) };
        let many = is_safe_by_order(&program);
        prop_assert!(few || !many, "in order, and yet there is a deadlock\n{text}");
        in_order.set(in_order.get() + u32::from(many));
        violated.set(violated.get() + u32::from(!few));
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    let (in_order, violated) = (in_order.get(), violated.get());
    println!("{in_order} in order, {violated} with a deadlock");
    assert!(in_order * 4 > cases && violated * 8 > cases, "{in_order} in order, {violated} with a deadlock");
}
