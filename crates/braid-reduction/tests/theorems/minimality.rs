//! Sleep sets give exactly the most preferred word of each class (Theorem 5.3), and the language of a program is closed
//! under commutativity, with threads that start and end (section 3, and DESIGN's "Fork and join inside the theory").

use crate::generator;
use crate::program::{Ordered, Relation, Walk, lowered};
use crate::words::{Word, classes, language, minima, words};
use braid_frontend::Language;
use braid_program::cfa::{Program, ThreadId};
use braid_reduction::{CommutativityMode, Reduction, Target};
use proptest::prelude::*;
use std::collections::HashSet;

pub const ORDERS: [&str; 9] = [
    "seq",
    "lockstep",
    "loop-lockstep",
    "rates",
    "random:1",
    "random:2",
    "positional-random:1",
    "positional-random:2",
    "positional-random:3",
];
pub const MODES: [CommutativityMode; 3] =
    [CommutativityMode::None, CommutativityMode::Syntactic, CommutativityMode::Semantic];

/// Words are looked at up to this length, unless there are more of some length than the other number.
const LONGEST: usize = 9;
const MOST_WORDS: usize = 1500;

pub fn config(cases: u32) -> ProptestConfig {
    let cases = std::env::var("BRAID_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(cases);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Completion, and the error locations of each thread that has some.
pub fn targets(program: &Program<'_>) -> Vec<Target> {
    let mut targets = Target::all(program);
    if !targets.contains(&Target::Completion) {
        targets.push(Target::Completion);
    }
    targets
}

/// A target and a commutativity relation, with the classes of what is accepted.
pub struct Case<'c, 'a, 'p> {
    pub relation: &'c Relation<'a, 'p>,
    pub mode: CommutativityMode,
    pub target: Target,
    /// All words up to this length are in the classes.
    pub longest: usize,
    pub classes: &'c [Vec<Word>],
}

/// Does something for each target and mode of a program.
pub fn for_each_case(text: &str, mut check: impl FnMut(&Program<'_>, &Case<'_, '_, '_>)) {
    lowered(text, Language::Braid, |program| {
        for target in targets(program) {
            let (accepted, longest) = language(&Ordered::new(program, "seq", target), LONGEST, MOST_WORDS);
            for mode in MODES {
                let relation = Relation::new(program, mode);
                let classes = classes(&accepted, |a, b| relation.commutes(a, b)).unwrap_or_else(|(word, swapped)| {
                    panic!("{word:?} is accepted and {swapped:?} is not ({target:?}, {mode:?})\n{text}")
                });
                check(program, &Case { relation: &relation, mode, target, longest, classes: &classes });
            }
        }
    });
}

/// Both sets are the same, or what is wrong.
pub fn assert_same(found: &HashSet<Word>, expected: &HashSet<Word>, about: impl FnOnce() -> String) {
    let lost: Vec<&Word> = expected.difference(found).collect();
    let superfluous: Vec<&Word> = found.difference(expected).collect();
    assert!(lost.is_empty() && superfluous.is_empty(), "lost {lost:?}, superfluous {superfluous:?}\n{}", about());
}

fn check(text: &str) {
    for_each_case(text, |program, case| {
        for order in ORDERS {
            let ordered = Ordered::new(program, order, case.target);
            let found =
                words(&Walk::new(&ordered, |a, b| case.relation.commutes(a, b), Reduction::Sleep), case.longest);
            assert_same(&found, &minima(&ordered, case.classes), || format!("{order}, {:?}\n{text}", case.target));
        }
    });
}

proptest! {
    #![proptest_config(config(250))]

    #[test]
    fn sleep_sets_leave_the_most_preferred_word_of_each_class(numbers in prop::collection::vec(any::<u8>(), 0..50)) {
        check(&generator::program(&numbers));
    }
}

/// Programs that show one thing each.
#[test]
fn of_each_class_one_word_is_left() {
    for text in [
        "(var x y Int) (par (set! x 1) (set! y 1))",
        "(var x y Int) (par (loop (set! x 1) (set! x 2)) (loop (set! y 1) (set! y 2)))",
        "(var x y Int) (par (set! x 1) (par (set! y 1) (set! y 2)))",
        "(var x y Int) (loop (par (set! x 1) (set! y 1)))",
        "(var x y Int) (par (set! x 1) (set! y 1)) (par (set! x 2) (set! y 2))",
        "(var x Int) (proc f () () (set! x 1)) (fork 1 f) (fork 2 f) (join () 1) (join () 2)",
        "(var x Int) (proc f () () (set! x 1)) (par (fork 1 f) (join () 1))",
        "(var x y Int) (proc f () () (set! x 1) (assert (= x 1))) (fork 1 f) (set! y 1) (assert (= y 1))",
    ] {
        check(text);
    }
}

/// The comparison is worth something only if programs and classes of all kinds come up.
#[test]
fn the_generator_makes_programs_of_all_kinds() {
    let mut random = braid_program::Random::new(1);
    let mut words: std::collections::BTreeMap<&str, u32> = std::collections::BTreeMap::new();
    let (mut completing, mut failing, mut swapped, mut children) = (0, 0, 0, 0);
    for _ in 0..200 {
        let numbers: Vec<u8> = (0..40).map(|_| random.below(256) as u8).collect();
        let text = generator::program(&numbers);
        for word in ["(par", "(fork", "(join", "(cond", "(loop", "(assert", "(havoc!"] {
            *words.entry(word).or_default() += u32::from(text.contains(word));
        }
        for_each_case(&text, |program, case| {
            if case.mode == CommutativityMode::Semantic {
                let large = case.classes.iter().filter(|class| class.len() > 1).count();
                swapped += u32::from(large > 0);
                let count = u32::from(!case.classes.is_empty());
                if case.target == Target::Completion {
                    completing += count
                } else {
                    failing += count
                }
                if let Target::ErrorOf(thread) | Target::BoundOf(thread) = case.target {
                    children += u32::from(thread != ThreadId::MAIN && program.threads.len() > 2) * count;
                }
            }
        });
    }
    println!("{completing} complete, {failing} fail, {children} in a child, {swapped} with swaps, {words:?}");
    assert!(completing > 60 && failing > 60 && swapped > 60 && children > 30);
    assert!(words.values().all(|&count| count > 20), "{words:?}");
}
