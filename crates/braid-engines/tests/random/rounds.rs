//! Loops over cells, where assertions count in one round only: a random program has a violation if and only if it has one in some round,
//! and what is proven of any one round is safe. Numbers are spent as in `generator`.

use crate::{cases, config};
use braid_engines::explicit::Explicit;
use braid_engines::gem::Gem;
use braid_engines::strategy::OneRound;
use braid_engines::{Control, Engine, Structured, Task, Verdict};
use braid_frontend::Language;
use braid_logic::TermPool;
use braid_program::ast::Program;
use braid_program::{LowerOptions, lower, one_round};
use braid_testkit::{Choices, parsed};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// What a round does at its counter `i`, and below in a loop of its own with `j`.
const STEPS: [&str; 14] = [
    "(store! a i (+ i 1))",
    "(store! a i x)",
    "(store! a (- 2 i) 1)",
    "(store! b i (select a i))",
    "(set! x (select a i))",
    "(set! x (mod (+ x 1) 3))",
    "(assert (= (select a i) x))",
    "(assert (= (select a i) (+ i 1)))",
    "(assert (= (select a i) (select b i)))",
    "(assert (/= (select b i) 2))",
    "(assert (<= x 2))",
    "(if (= x 1) (assert (= (select a i) 0)) (set! x 1))",
    "(call () touch i)",
    "(atomic (store! a i x) (assert (= (select a i) x)))",
];

fn block(choices: &mut Choices<'_>, depth: usize) -> String {
    let mut text = String::new();
    for _ in 0..=choices.below(3) {
        match choices.below(8) {
            0 if depth > 0 => {
                let inner = block(choices, depth - 1);
                text += &format!("(set! j 0) (while (< j 2) {} (set! j (+ j 1)))", inner.replace(" i", " j"));
            }
            _ => text += choices.of(&STEPS),
        }
    }
    text
}

/// A loop with its counter, which may be stepped early or by more than one.
fn walk(choices: &mut Choices<'_>) -> String {
    let (start, step) = (choices.below(2), choices.of(&["(+ i 1)", "(+ i 1)", "(+ i 2)"]));
    let (before, after) = (block(choices, 1), block(choices, 1));
    let body = if choices.chance(4) {
        format!("{before} (set! i {step}) {after}")
    } else {
        format!("{before} {after} (set! i {step})")
    };
    format!("(set! i {start}) (while (< i 3) {body})")
}

fn program(numbers: &[u8]) -> String {
    let choices = &mut Choices::new(numbers);
    let worker = |name: &str, body: String| {
        format!("(proc {name} () () (declare (i Int) (declare (j Int) (set! (i j) (0 0)) {body})))\n")
    };
    let last = if choices.chance(2) { walk(choices) } else { String::new() };
    let threads = ["(par (call () one) (call () two))", "(seq (call () one) (call () two))"][choices.below(2)];
    let main =
        format!("(set! (x a b) (0 ((as const (Array Int Int)) 0) ((as const (Array Int Int)) 0))) {threads} {last}");
    format!(
        "(var x Int) (var a b (Array Int Int))\n(proc touch ((k Int)) () (store! a k 1))\n{}{}{}",
        worker("one", walk(choices)),
        worker("two", walk(choices)),
        worker("main", main)
    )
}

/// Does some execution fail, whatever a number is that is chosen? None if that takes too many states.
fn fails(program: &Program, one_round: bool) -> Option<bool> {
    let pool = TermPool::new();
    let automata =
        lower(program, &pool, LowerOptions { one_round, ..LowerOptions::default() }).expect("it can be lowered");
    // Counters go from 0 to 4.
    let engine = Explicit { states: 30_000, inputs: Some(-1..=5), ..Explicit::default() };
    let outcome = engine.verify(&Task::new(&automata), &Control::new());
    match outcome.verdict {
        Verdict::Unsafe(_) => Some(true),
        _ if outcome.statistics.states >= 30_000 => None,
        _ => Some(false),
    }
}

#[test]
fn a_program_fails_if_one_of_its_rounds_does() {
    let [failed, safe, proven] = [const { Cell::new(0) }; 3];
    let numbers = prop::collection::vec(any::<u8>(), 0..60);
    let result = TestRunner::new(ProptestConfig { cases: cases(120), ..config() }).run(&numbers, |numbers| {
        let text = program(&numbers);
        let program = parsed(&text, Language::Braid);
        let (Some(_), Some(expected)) = (one_round(&program), fails(&program, false)) else {
            return Err(TestCaseError::reject("no assertion in a loop, or too many states"));
        };
        let found = fails(&program, true);
        prop_assert!(found.is_none_or(|found| found == expected), "fails: {expected}, in one round: {found:?}\n{text}");
        let pool = TermPool::new();
        let lowering = LowerOptions::default();
        let automata = lower(&program, &pool, lowering).expect("it can be lowered");
        let structured = Some(Structured { program: &program, lowering });
        let task = Task { program: &automata, seat: None, structured };
        // It is tried where it can be wrong, and often enough where it can be right.
        if expected || proven.get() < 30 {
            let gem = Gem { seed_invariants: true, ..Gem::default() };
            let control = Control::new().until(Some(Instant::now() + Duration::from_millis(150)));
            let is_proven = matches!(OneRound(gem).verify(&task, &control).verdict, Verdict::Safe(_));
            prop_assert!(!(is_proven && expected), "proven, and fails\n{text}");
            proven.set(proven.get() + u32::from(is_proven));
        }
        let counter = if expected { &failed } else { &safe };
        counter.set(counter.get() + 1);
        Ok(())
    });
    assert!(result.is_ok(), "{}", result.unwrap_err());
    println!("{} fail, {} do not, {} proven", failed.get(), safe.get(), proven.get());
    assert!(failed.get() > 10 && safe.get() > 10 && proven.get() > 0);
}
