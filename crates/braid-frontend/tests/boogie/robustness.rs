//! Whatever the text, the reader answers with a program or with diagnostics: quickly, without a panic, on a small stack.

use braid_frontend::{Language, parse};
use braid_program::print::{equal_up_to_spans, to_text};
use braid_testkit::{Random, fuzzed, on_a_small_stack, setting};
use std::path::Path;
use std::time::{Duration, Instant};

/// Reads the text; what is read must print and read back. Gives whether it is a program.
fn try_both_ways(text: &str) -> bool {
    let start = Instant::now();
    let accepted = match parse("a.bpl", text, Language::Boogie) {
        Ok(program) => {
            let printed = to_text(&program);
            let again = parse("b.braid", &printed, Language::Braid);
            let again = again.unwrap_or_else(|error| panic!("{text}\nprints as\n{printed}\n{error}"));
            assert!(equal_up_to_spans(&program, &again), "{text}\nprints as\n{printed}");
            true
        }
        Err(diagnostics) => {
            assert!(!diagnostics.errors.is_empty());
            assert!(diagnostics.to_string().contains(": error: "));
            false
        }
    };
    assert!(start.elapsed() < Duration::from_secs(20), "this took {:?}", start.elapsed());
    accepted
}

/// What texts are made of, beside punctuation.
const WORDS: [&str; 18] = [
    "{:async t}",
    "{:wait t}",
    "{:yield}",
    "forall ",
    "old(",
    "var x: int;",
    "99999999999999999999",
    "fork 1 ",
    "join 1;",
    "atomic {",
    "while (*) {",
    "if (*) {",
    "goto l;",
    "l:",
    "break;",
    "return;",
    "é",
    "\u{0}",
];

fn pieces() -> Vec<&'static str> {
    let punctuation = "( ) { } [ ] ; : := , < > ==> <==> && || ++ - ! bv8 1bv8 \"";
    punctuation.split(' ').chain(WORDS).collect()
}

fn programs() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut texts = Vec::new();
    for folder in ["../examples", "braid-cli/tests/boogie"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("the folder can be listed");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("the folder can be listed").path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "bpl"));
        paths.sort();
        texts.extend(paths.iter().map(|path| std::fs::read_to_string(path).expect("it is text")));
    }
    texts
}

#[test]
fn all_programs_print_and_read_back() {
    let texts = programs();
    assert!(texts.len() > 20);
    let rejected = texts.iter().filter(|text| !try_both_ways(text)).count();
    let expected = texts.iter().filter(|text| text.starts_with("// expect: rejected")).count();
    assert_eq!(rejected, expected);
}

#[test]
fn mutated_programs() {
    fuzzed(programs(), pieces().leak(), |text, _| try_both_ways(text));
}

#[test]
fn random_bytes() {
    on_a_small_stack(|| {
        let end = Instant::now() + Duration::from_secs(setting("BRAID_FUZZ_SECONDS", 5_u64).div_ceil(2));
        let (mut random, pieces) = (Random(0x2545_f491_4f6c_dd1d), pieces());
        while Instant::now() < end {
            let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.below(256) as u8).collect();
            try_both_ways(&String::from_utf8_lossy(&bytes));
            let words: String = (0..random.below(60)).map(|_| pieces[random.below(pieces.len())]).collect();
            try_both_ways(&format!("procedure main() {{ {words} }}"));
        }
    });
}

#[test]
fn deep_nesting_is_rejected_at_once() {
    const DEPTH: usize = 100_000;
    on_a_small_stack(|| {
        let texts = [
            format!("procedure main() {{ assert {}true; }}", "(".repeat(DEPTH)),
            format!("procedure main() {{ assert {}true; }}", "!".repeat(DEPTH)),
            format!("procedure main() {{ assert {}true; }}", "true ==> ".repeat(DEPTH)),
            format!("procedure main() {{ assert {}1 == 1; }}", "1 - 1 + ".repeat(DEPTH)),
            format!("procedure main() {{ {}", "if (*) { ".repeat(DEPTH)),
            format!("procedure main() {{ if (*) {{ }} {}", "else if (*) { } ".repeat(DEPTH)),
            format!("var x: {}int; procedure main() {{ }}", "[int]".repeat(DEPTH)),
            format!("procedure main() {{ var x: int; assert x{} == 1; }}", "[0]".repeat(DEPTH)),
            format!("procedure main() {{ {}", "atomic { ".repeat(DEPTH)),
            "/*".repeat(DEPTH),
        ];
        for text in texts {
            let start = Instant::now();
            assert!(!try_both_ways(&text));
            assert!(start.elapsed() < Duration::from_secs(10), "{} takes {:?}", &text[..60], start.elapsed());
        }
    });
}

#[test]
fn functions_that_grow_are_rejected() {
    let mut text = "function f0(x: int): int { x + x }\n".to_owned();
    for number in 1..60 {
        let before = number - 1;
        text += &format!("function f{number}(x: int): int {{ f{before}(x) + f{before}(f{before}(x)) }}\n");
    }
    assert!(!try_both_ways(&(text + "procedure main() { assert f59(1) == 2; }")));
}

#[test]
fn long_texts_are_read_in_time() {
    let texts = [
        format!("var x: int; procedure main() modifies x; {{ {} }}", "x := x + 1;\n".repeat(20_000)),
        format!("procedure main() {{ assert true{}; }}", " && true".repeat(20_000)),
        format!("procedure main() {{ {} }} procedure p() {{ }}", "fork 1, 1 p();\n".repeat(300)),
    ];
    for text in &texts {
        assert!(try_both_ways(text));
    }
}
