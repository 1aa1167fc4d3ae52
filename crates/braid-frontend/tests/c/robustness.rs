//! Whatever the text, the reader answers with a program or with diagnostics: quickly, without a panic, on a small stack.

use crate::dump;
use braid_frontend::Reading;
use braid_frontend::c::{Kind, unit};
use braid_testkit::{Random, mutated, on_a_small_stack, setting};
use std::time::{Duration, Instant};

const PROGRAMS: [&str; 3] =
    [include_str!("programs/queue.c"), include_str!("programs/declarations.c"), include_str!("programs/expressions.c")];

fn read(text: &str) -> Result<String, String> {
    match unit("a.i", text, Kind::Preprocessed, &Reading::default()) {
        Ok(unit) => Ok(dump::to_text(&unit)),
        Err(diagnostics) => {
            assert!(!diagnostics.errors.is_empty());
            Err(diagnostics.to_string())
        }
    }
}

const PIECES: [&str; 40] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "=",
    "+=",
    "++",
    "->",
    ".",
    "?",
    ":",
    "...",
    "int ",
    "struct s ",
    "union u ",
    "enum e ",
    "typedef ",
    "static ",
    "sizeof ",
    "(int)",
    "0",
    "-1",
    "99999999999",
    "'\\x'",
    "\"a\"",
    "x",
    "typeof(",
    "({",
    "})",
    "case 1:",
    "goto l;",
    "l:",
    "é",
    "\u{0}",
];

#[test]
fn mutated_programs() {
    on_a_small_stack(|| {
        let end = Instant::now() + Duration::from_secs(setting("BRAID_FUZZ_SECONDS", 5));
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let (mut tried, mut accepted) = (0_u64, 0_u64);
        while Instant::now() < end {
            let text = mutated(PROGRAMS[random.below(PROGRAMS.len())], &PIECES, &mut random);
            let start = Instant::now();
            tried += 1;
            accepted += u64::from(read(&text).is_ok());
            assert!(start.elapsed() < Duration::from_secs(5), "this took {:?}:\n{text}", start.elapsed());
        }
        println!("{tried} texts, {accepted} of them programs");
    });
}

#[test]
fn the_unchanged_programs_are_read() {
    for program in PROGRAMS {
        if let Err(diagnostics) = read(program) {
            panic!("{diagnostics}");
        }
    }
}

#[test]
fn deep_nesting_is_rejected_at_once() {
    const DEPTH: usize = 100_000;
    on_a_small_stack(|| {
        let texts = [
            ("int x = ", "(", "1", ")", ";"),
            ("int x = ", "-", "1", "", ";"),
            ("int x = ", "1+", "1", "", ";"),
            ("int x = ", "1,", "1", "", ";"),
            ("int x = ", "1?1:", "1", "", ";"),
            ("int x = ", "(int)", "1", "", ";"),
            ("int x = ", "sizeof(", "1", ")", ";"),
            ("int x = ", "sizeof(typeof(", "1", "))", ";"),
            ("int x = ", "({", "1", ";})", ";"),
            ("int x = ", "{", "1", "}", ";"),
            ("int x = f", "[0]", "", "", ";"),
            ("int x = f", "(0)", "", "", ";"),
            ("int x = f", ".a", "", "", ";"),
            ("int ", "*", "x", "", ";"),
            ("int ", "(", "x", ")", ";"),
            ("int ", "(*", "x", ")(void)", ";"),
            ("int x", "[2]", "", "", ";"),
            ("void f(", "int g(", "int", ")", ");"),
            ("", "struct {", "int x;", "} y;", ""),
            ("int f(void) {", "{", "", "}", "}"),
            ("int f(void) {", "if (1) ", ";", "", "}"),
            ("int f(void) {", "if (1) ; else ", ";", "", "}"),
            ("int f(void) {", "for (;;) ", ";", "", "}"),
            ("int f(void) {", "l: ", ";", "", "}"),
            ("int f(void) {", "do ", ";", " while (1);", "}"),
            ("int f(void) {", "__typeof__(", "1", ") x;", "}"),
            ("int x = ", "((typeof(1+1+1))", "1", ")", ";"),
        ];
        for (before, open, middle, close, after) in texts {
            for close in ["", close] {
                let start = Instant::now();
                let text = before.to_owned() + &open.repeat(DEPTH) + middle + &close.repeat(DEPTH) + after;
                assert!(read(&text).is_err(), "{before}{open}");
                assert!(start.elapsed() < Duration::from_secs(2), "{before}{open} takes {:?}", start.elapsed());
            }
        }
    });
}

#[test]
fn ordinary_nesting_is_read() {
    on_a_small_stack(|| {
        for (open, close) in [("(", ")"), ("- ", ""), ("1+", ""), ("(int)", ""), ("(1?2:", ")"), ("({", ";})")] {
            let text = format!("int main(void) {{ return {}1{}; }}", open.repeat(300), close.repeat(300));
            read(&text).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
        }
    });
}

#[test]
fn long_chains_of_types_are_rejected() {
    let chain: String = (1..2_000).map(|number| format!("typedef t{} *t{number};\n", number - 1)).collect();
    let text = format!("typedef int t0;\n{chain} t1999 x; int main(void) {{ return x == 0; }}");
    assert!(read(&text).is_err());
    let doubling: String =
        (1..60).map(|number| format!("typedef void t{number}(t{0} *, t{0} *);\n", number - 1)).collect();
    let text = format!("typedef int t0;\n{doubling} t59 *x; int main(void) {{ return x == 0; }}");
    assert!(read(&text).is_err());
}

#[test]
fn endless_repetitions_are_rejected() {
    let text = "int a[60000][60000] = { [0 ... 59999] = { [0 ... 59999] = 1 } }; int main(void) { return a[0][0]; }";
    assert!(read(text).is_err());
}

#[test]
fn large_programs_are_read_in_time() {
    let mut text = String::from("extern void use(int);\nstruct s { int a; struct s *next; };\n");
    let mut number = 0;
    while text.len() < 5 << 20 {
        text += &format!(
            "# {number} \"file.h\" 1 3\nstatic int f{number}(struct s *p, int n) {{ // comment\n  int i, sum = 0;\n  for (i = 0; i < n; i++) {{\n    /* a comment */ sum += p->a * (i + {number});\n    if (p->next != 0 && sum > 100) p = p->next; else use(sum);\n  }}\n  return sum;\n}}\n"
        );
        number += 1;
    }
    let calls: String = (0..number).map(|number| format!("f{number}(&x, {number});\n")).collect();
    text += &format!("int main(void) {{ struct s x = {{1}}; {calls} return 0; }}\n");
    let start = Instant::now();
    let result = unit("large.i", &text, Kind::Preprocessed, &Reading::default());
    println!("{} bytes in {:?}", text.len(), start.elapsed());
    assert!(result.is_ok());
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
