//! Whatever the text, the reader answers with a program or with diagnostics: quickly, without a panic, on a small stack.

use braid_frontend::{Language, parse};
use braid_program::print::{Dialect, equal_up_to_spans, to_text};
use braid_testkit::{fuzzed, on_a_small_stack};
use std::path::Path;
use std::time::{Duration, Instant};

/// Reads the text; what is read must print and read back. Gives whether it is a program.
fn try_both_ways(text: &str, language: Language) -> bool {
    let start = Instant::now();
    let result = parse(&format!("a.{}", language.extension()), text, language);
    let accepted = match &result {
        Ok(program) => {
            let printed = to_text(program);
            let language = match Dialect::of(program) {
                Dialect::Weaver => Language::Weaver,
                Dialect::Braid => Language::Braid,
            };
            let again = parse(&format!("b.{}", language.extension()), &printed, language);
            let again =
                again.unwrap_or_else(|error| panic!("{}\nprints as\n{}\n{error}", start_of(text), start_of(&printed)));
            assert!(equal_up_to_spans(program, &again), "{}\nprints as\n{}", start_of(text), start_of(&printed));
            true
        }
        Err(diagnostics) => {
            assert!(!diagnostics.errors.is_empty());
            assert!(diagnostics.to_string().contains(": error: "));
            false
        }
    };
    assert!(start.elapsed() < Duration::from_secs(20), "this took {:?}:\n{}", start.elapsed(), start_of(text));
    accepted
}

fn start_of(text: &str) -> String {
    text.chars().take(2_000).collect()
}

const PIECES: [&str; 24] = [
    "(",
    ")",
    "()",
    " ",
    "|",
    "\"",
    ";",
    "#x1",
    "#b",
    "-1",
    "999999999999999999999",
    "(seq)",
    "(replicate 3 ",
    "(declare (x Int) ",
    "(par ",
    "(atomic ",
    "(goto l)",
    "(label l)",
    "x",
    "Bool",
    "(if b ",
    "é",
    "\u{0}",
    "(var x Int)",
];

#[test]
fn mutated_examples() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let entries = std::fs::read_dir(directory).expect("the examples can be listed");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("the examples can be listed").path()).collect();
    paths.retain(|path| matches!(Language::from_extension(path), Ok(Language::Weaver | Language::Braid)));
    paths.sort();
    let texts: Vec<String> = paths.iter().map(|path| std::fs::read_to_string(path).expect("it is text")).collect();
    fuzzed(texts, &PIECES, |text, random| try_both_ways(text, [Language::Weaver, Language::Braid][random.below(2)]));
}

#[test]
fn deep_nesting_is_rejected_at_once() {
    const DEPTH: usize = 100_000;
    on_a_small_stack(|| {
        for open in ["(", "(seq ", "(assume (not ", "((as const (Array Int ", "(var x (Array Int "] {
            for close in ["", ")"] {
                let start = Instant::now();
                let text = open.repeat(DEPTH) + &close.repeat(DEPTH);
                assert!(!try_both_ways(&text, Language::Braid));
                assert!(start.elapsed() < Duration::from_secs(1), "{open} takes {:?}", start.elapsed());
            }
        }
    });
}

#[test]
fn nesting_up_to_the_limit_is_read() {
    const DEPTH: usize = 990;
    let nested = |open: &str, inner: &str| open.repeat(DEPTH) + inner + &")".repeat(DEPTH);
    let texts = [
        nested("(seq ", "(seq)"),
        nested("(par ", "(seq)"),
        nested("(atomic ", "(assume true)"),
        nested("(while true ", "(seq)"),
        nested("(if true ", "(seq)"),
        nested("(declare (x Int) ", "(set! x 1)"),
        nested("(replicate 1 ", "(seq)"),
        format!("(assume {})", nested("(not ", "true")),
        format!("(var f (Int) Int) (assume (= 0 {}))", nested("(f ", "1")),
        format!("(var x Int) (set! x {})", nested("(- ", "1")),
    ];
    on_a_small_stack(move || {
        for text in &texts {
            assert!(try_both_ways(text, Language::Weaver), "{}", &text[..40]);
        }
    });
}

#[test]
fn long_texts_are_read_in_time() {
    let many = |item: &str| item.repeat(30_000);
    let texts = [
        format!("(var x Int) {}", many("(set! x (+ x 1))\n")),
        format!("(var x Int) (assume (= {}))", many("x ")),
        format!("(var {} Int) (seq)", (0..30_000).map(|number| format!("x{number} ")).collect::<String>()),
        many("(set! y 1)\n"),
        format!("(assume {})", "y".repeat(1_000_000)),
        format!("(assume (= 0 {}))", "9".repeat(1_000_000)),
        format!("(var x Int) (replicate 1000 (assume (= {})))", "x ".repeat(10_000)),
        format!("(var x {})", "(Array Int ".repeat(900) + "Int" + &")".repeat(900)),
        format!("(var {}", many("(Array Int Int) ")),
    ];
    on_a_small_stack(move || {
        for text in &texts {
            let start = Instant::now();
            try_both_ways(text, Language::Weaver);
            assert!(start.elapsed() < Duration::from_secs(20), "{:?}: {}", start.elapsed(), &text[..60]);
        }
    });
}
