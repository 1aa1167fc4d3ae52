//! `explicit` against the naive enumerator, on random programs: the same verdicts, fused or not.

use crate::config;
use crate::generator::{self, Inputs};
use crate::naive::{Found, Naive};
use braid_engines::explicit::{Explicit, Visits};
use braid_engines::{Control, Counterexample, Engine, Reason, Task, Verdict};
use braid_logic::{ArrayBase, TermPool, Value};
use braid_program::ast::Program;
use braid_program::{LowerOptions, lower};
use braid_testkit::Choices;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

const MOST_STATES: usize = 4_000;

/// What `explicit` says, with the integers that its counterexample chooses.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Answer {
    Safe,
    Unsafe(BTreeSet<i64>),
    Unknown(String),
    /// Too many states: no opinion.
    GaveUp,
}

/// `explicit`, so that no case takes long.
fn engine(inputs: Option<RangeInclusive<i64>>, visits: Visits) -> Explicit {
    Explicit { states: 10 * MOST_STATES as u64, inputs, visits }
}

/// Fused or not, whatever is visited first.
const SETTINGS: [(bool, Visits); 3] = [(false, Visits::Breadth), (true, Visits::Breadth), (true, Visits::Switches)];

fn explicit(program: &Program, fuse: bool, engine: &Explicit) -> Answer {
    let pool = TermPool::new();
    let options = LowerOptions { fuse, ..LowerOptions::default() };
    let automata = lower(program, &pool, options).expect("the program can be lowered");
    let task = Task::new(&automata);
    match engine.verify(&task, &Control::new()).verdict {
        Verdict::Safe(_) => Answer::Safe,
        Verdict::Unsafe(counterexample) => Answer::Unsafe(chosen(&counterexample)),
        Verdict::Unknown(Reason::States(_)) => Answer::GaveUp,
        Verdict::Unknown(reason) => Answer::Unknown(reason.to_string()),
    }
}

fn chosen(counterexample: &Counterexample) -> BTreeSet<i64> {
    fn collect(value: &Value, all: &mut BTreeSet<i64>) {
        match value {
            Value::Int(value) => all.extend(value.to_i64()),
            Value::Array(array) => {
                array.cells.iter().for_each(|(_, element)| collect(element, all));
                if let ArrayBase::Constant(element) = &array.base {
                    collect(element, all);
                }
            }
            _ => {}
        }
    }
    let mut all = BTreeSet::new();
    let execution = counterexample.execution();
    execution.initial.vars.values().for_each(|value| collect(value, &mut all));
    for table in execution.initial.funs.values() {
        table.entries.values().chain([&table.otherwise]).for_each(|value| collect(value, &mut all));
    }
    execution.steps.iter().flat_map(|step| &step.choices).for_each(|value| collect(value, &mut all));
    all
}

fn text(program: &Program) -> String {
    braid_program::print::to_text(program)
}

proptest! {
    #![proptest_config(config())]

    /// Programs that bound their inputs have exactly the verdict that the enumerator gives.
    #[test]
    fn bounded_programs_have_the_enumerated_verdict(numbers in prop::collection::vec(any::<u8>(), 0..120)) {
        let program = generator::program(Choices::new(&numbers), Inputs::Bounded);
        let found = Naive::new(&program, 0..=1, MOST_STATES).run();
        prop_assume!(found != Found::GaveUp);
        for (fuse, visits) in SETTINGS {
            match explicit(&program, fuse, &engine(None, visits)) {
                Answer::Safe => prop_assert_eq!(found, Found::NoViolation, "fuse {}\n{}", fuse, text(&program)),
                Answer::Unsafe(_) => prop_assert_eq!(found, Found::Violation, "fuse {}\n{}", fuse, text(&program)),
                Answer::GaveUp => {}
                Answer::Unknown(why) => prop_assert!(false, "unknown ({why}), fuse {fuse}\n{}", text(&program)),
            }
        }
    }

    /// Programs with open inputs: whatever the enumerator finds in a range is found, what is found can be enumerated,
    /// and what is safe is safe for more values than were tried.
    #[test]
    fn open_programs_agree_on_the_range(numbers in prop::collection::vec(any::<u8>(), 0..90)) {
        let program = generator::program(Choices::new(&numbers), Inputs::Open);
        let in_range = Naive::new(&program, 0..=1, MOST_STATES).run();
        prop_assume!(in_range != Found::GaveUp);
        for (fuse, visits) in SETTINGS {
            match &explicit(&program, fuse, &engine(Some(0..=1), visits)) {
                Answer::Unsafe(values) => {
                    let domain = values.iter().copied().chain(0..=1);
                    let found = Naive::new(&program, domain, 10 * MOST_STATES).run();
                    prop_assert_ne!(found, Found::NoViolation, "fuse {}\n{}", fuse, text(&program));
                }
                Answer::Safe => {
                    let found = Naive::new(&program, -1..=2, MOST_STATES).run();
                    prop_assert_ne!(found, Found::Violation, "fuse {}\n{}", fuse, text(&program));
                }
                Answer::GaveUp => {}
                Answer::Unknown(why) => {
                    prop_assert_eq!(why, "no violation for inputs in 0..1", "fuse {}\n{}", fuse, text(&program));
                    prop_assert_ne!(in_range, Found::Violation, "fuse {}\n{}", fuse, text(&program));
                }
            }
        }
    }
}

/// The comparison is worth something only if programs of all kinds come up.
#[test]
fn the_generator_makes_programs_of_all_kinds() {
    let (mut safe, mut violated, mut gave_up) = (0, 0, 0);
    let mut words: std::collections::BTreeMap<&str, u32> = std::collections::BTreeMap::new();
    let mut random = 1u64;
    for _ in 0..400 {
        let mut byte = || {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 56) as u8
        };
        let numbers: Vec<u8> = (0..100).map(|_| byte()).collect();
        let program = generator::program(Choices::new(&numbers), Inputs::Bounded);
        match Naive::new(&program, 0..=1, MOST_STATES).run() {
            Found::NoViolation => safe += 1,
            Found::Violation => violated += 1,
            Found::GaveUp => gave_up += 1,
        }
        let text = text(&program);
        let expected = [
            "(par",
            "(fork",
            "(join",
            "(call",
            "(while",
            "(loop",
            "(atomic",
            "(havoc!",
            "(cond",
            "(if",
            "store",
            "(f ",
            "(goto",
            "(set! m ",
            "(identity",
        ];
        for word in expected {
            *words.entry(word).or_default() += u32::from(text.contains(word));
        }
    }
    println!("{safe} safe, {violated} violated, {gave_up} gave up, {words:?}");
    assert!(safe > 60 && violated > 60 && gave_up < 60);
    assert!(words.values().all(|&count| count > 10), "{words:?}");
}
