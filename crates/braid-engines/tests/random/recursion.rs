//! Procedures that call themselves and each other several times, whose calls share bodies: `explicit` on what lowering makes of them
//! against the naive enumerator, which knows calls only. Numbers are spent as in `generator`.

use crate::naive::{Found, Naive};
use crate::{cases, config};
use braid_engines::explicit::Explicit;
use braid_engines::{Control, Engine, Task, Verdict};
use braid_frontend::Language;
use braid_logic::TermPool;
use braid_program::{LowerOptions, lower};
use braid_testkit::{Choices, parsed};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::Cell;

const STEPS: [&str; 18] = [
    "(call (k) f (- n 1))",
    "(call (k) f (- n 1))",
    "(call (x) f (- n 1))",
    "(call (k) g (- n 1))",
    "(call (k) g (- n 1))",
    "(call (y) g (- n 2))",
    "(call (k) f (- k 1))",
    "(set! k (mod (+ k x) 3))",
    "(set! x (mod (+ x n) 3))",
    "(set! y (mod (+ y k) 3))",
    "(set! r (mod (+ k n) 4))",
    "(set! r k)",
    "(if (= x 2) (return))",
    "(if (= k 1) (call (y) f (- n 1)) (set! x 1))",
    "(while (< i 2) (call (k) g (- n 2)) (set! i (+ i 1)))",
    "(assert (or (/= x 2) (/= y k)))",
    "(assert (or (/= n 1) (/= k 2)))",
    "(assert (or (/= r 3) (= x 0)))",
];

fn body(choices: &mut Choices<'_>) -> String {
    (0..4 + choices.below(4)).map(|_| choices.of(&STEPS)).collect::<Vec<_>>().join(" ")
}

fn program(numbers: &[u8]) -> String {
    let choices = &mut Choices::new(numbers);
    let mut text = String::from("(var x y Int)\n");
    for name in ["f", "g"] {
        let body = body(choices);
        text += &format!(
            "(proc {name} ((n Int)) ((r Int)) (declare (k Int) (declare (i Int) (set! (k i r) (0 0 1)) (if (<= n 0) (return)) {body})))\n"
        );
    }
    let (one, two) = (1 + choices.below(4), choices.below(3));
    let beside = choices.of(&["(call (b) g 1)", "(set! x 1)", "(set! y 0)"]);
    text + &format!(
        "(proc main () () (declare (a Int) (declare (b Int) (set! (x y a b) (0 0 0 0)) (par (call (a) f {one}) {beside}) (call (b) g {two}) (assert (or (/= a 2) (/= b 2))))))"
    )
}

#[test]
fn calls_that_share_bodies_do_what_calls_do() {
    let [failed, safe] = [const { Cell::new(0) }; 2];
    let numbers = prop::collection::vec(any::<u8>(), 0..40);
    let result = TestRunner::new(ProptestConfig { cases: cases(200), ..config() }).run(&numbers, |numbers| {
        let text = program(&numbers);
        let program = parsed(&text, Language::Braid);
        let expected = match Naive::new(&program, 0..=0, 4_000).run() {
            Found::Violation => true,
            Found::NoViolation => false,
            Found::GaveUp => return Err(TestCaseError::reject("too many states")),
        };
        for fuse in [false, true] {
            let pool = TermPool::new();
            // Nothing is called more than five levels deep.
            let options = LowerOptions { recursion: 6, fuse, ..LowerOptions::default() };
            let automata = lower(&program, &pool, options).expect("it can be lowered");
            let engine = Explicit { states: 30_000, ..Explicit::default() };
            match engine.verify(&Task::new(&automata), &Control::new()).verdict {
                Verdict::Unknown(reason) => prop_assert!(false, "{reason}\n{text}"),
                verdict => prop_assert!(matches!(verdict, Verdict::Unsafe(_)) == expected, "fails: {expected}\n{text}"),
            }
        }
        let counter = if expected { &failed } else { &safe };
        counter.set(counter.get() + 1);
        Ok(())
    });
    assert!(result.is_ok(), "{}", result.unwrap_err());
    println!("{} fail, {} do not", failed.get(), safe.get());
    assert!(failed.get() > 10 && safe.get() > 10);
}
