//! Whole programs: each file under `tests/c`, `tests/teaching` (what students of operating systems write) and `tests/boogie` says in
//! its first lines what is to come out, with which options, and why: `// expect: safe`, and for another way to read it
//! `// expect -D WRONG: unsafe`. So do the examples, which are asked for everything. The programs under `tests/tools` have several files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a file expects: the verdict's first word, or `rejected: ` and what the rejection says.
struct Expectation {
    file: PathBuf,
    expected: String,
    options: Vec<String>,
}

fn expectations(folder: &str, extension: &str) -> Vec<Expectation> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(&folder).expect("the folder of programs is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    assert!(!files.is_empty(), "there are programs");
    files.sort();
    let read = |file: PathBuf| {
        let text = fs::read_to_string(&file).expect("a readable program");
        let options = words(text.lines().find_map(|line| line.strip_prefix("// options: ")).unwrap_or_default());
        let expectations = text.lines().filter_map(|line| line.strip_prefix("// expect")?.split_once(": "));
        let expectation = |(own, expected): (&str, &str)| Expectation {
            file: file.clone(),
            expected: expected.to_owned(),
            options: [words(own), options.clone()].concat(),
        };
        let expectations: Vec<Expectation> = expectations.map(expectation).collect();
        assert!(!expectations.is_empty(), "{}: no expectation", file.display());
        expectations
    };
    files.into_iter().flat_map(read).collect()
}

/// The words of a line; what stands between quotes is one.
fn words(line: &str) -> Vec<String> {
    let pieces = line.split('"').enumerate();
    let words = pieces.map(|(n, piece)| if n % 2 == 1 { vec![piece] } else { piece.split_whitespace().collect() });
    words.flatten().map(str::to_owned).collect()
}

/// What came out, in the form of an expectation. Without a property, assertions are looked at.
fn outcome(expectation: &Expectation) -> String {
    let names_property = expectation.options.iter().any(|option| option == "--property");
    verify(expectation, if names_property { &[] } else { &["--property", "unreach-call"] })
}

fn verify(expectation: &Expectation, more: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    command.args(["verify", "--quiet", "--timeout", "60s"]).args(&expectation.options).args(more);
    command.arg(&expectation.file);
    let output = command.stdin(Stdio::null()).output().expect("the binary runs");
    if output.status.code() == Some(3) {
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let first = errors.lines().next().unwrap_or_default();
        return format!("rejected: {}", first.split_once("error: ").map_or(first, |(_, message)| message));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().last().and_then(|line| line.strip_prefix("verdict: ")).unwrap_or(&text).to_owned()
}

fn check_all(folder: &str, extension: &str) {
    let mut failures = Vec::new();
    for expectation in expectations(folder, extension) {
        let outcome = outcome(&expectation);
        // `rejected: …` may stop before the end of the message, `unknown` before the reason.
        if !outcome.starts_with(&expectation.expected) {
            let file = expectation.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let options = expectation.options.join(" ");
            failures.push(format!("{file} {options}: expected {}, got {outcome}", expectation.expected));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_c_program_has_its_verdict() {
    check_all("tests/c", "c");
}

#[test]
fn every_teaching_program_has_its_verdict() {
    check_all("tests/teaching", "c");
}

#[test]
fn every_example_has_its_verdict() {
    let (examples, tutorial) = (expectations("../../examples/c", "c"), expectations("../../examples/tutorial", "c"));
    let found = examples.iter().chain(&tutorial).map(|example| (example, verify(example, &[])));
    let wrong = found.filter(|(example, verdict)| example.expected != *verdict).map(|(example, verdict)| {
        let (file, options) = (example.file.display(), example.options.join(" "));
        format!("{file} {options}: expected {}, got {verdict}", example.expected)
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let files: BTreeSet<&Path> = examples.iter().map(|example| example.file.as_path()).collect();
    assert!(files.len() >= 20 && examples.len() == 2 * files.len(), "each example has a bug, and a version without");
}

/// Examples are read by people first: a compiler has nothing to say about them.
#[test]
fn examples_compile_without_warnings() {
    for example in expectations("../../examples/c", "c").iter().chain(&expectations("../../examples/tutorial", "c")) {
        let macros = example.options.iter().skip_while(|option| *option != "-D").take(2);
        let mut command = Command::new("cc");
        command.args(["-Wall", "-Wextra", "-Werror", "-pthread", "-fsyntax-only"]).args(macros).arg(&example.file);
        let output = command.output().expect("there is a C compiler");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A program of several files: its folder, what it is started with, and its files.
struct Tool {
    folder: &'static str,
    arguments: &'static str,
    files: &'static str,
}

const TOOLS: [Tool; 3] = [
    Tool {
        folder: "downloader",
        arguments: "fetch -n 2 -s 8 http://h/f",
        files: "options.c log.c main.c download.c http.c net.c progress.c resume.c url.c",
    },
    Tool {
        folder: "scanner",
        arguments: "scan -t 2 w a b",
        files: "settings.c report.c main.c match.c queue.c reader.c walk.c",
    },
    Tool { folder: "tracer", arguments: "work 2 3", files: "config.c main.c output.c ring.c threads.c trace.c work.c" },
];

/// The exit status and all that is said about data races in a tool.
fn races(tool: &Tool, timeout: &str, options: &[&str]) -> (Option<i32>, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools").join(tool.folder);
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    command.args(["verify", "--timeout", timeout, "--property", "no-data-race", "--args", tool.arguments]);
    command.args(options).args(tool.files.split(' ')).current_dir(folder).stdin(Stdio::null());
    let output = command.output().expect("the binary runs");
    let text = [output.stdout, output.stderr].map(|part| String::from_utf8_lossy(&part).into_owned()).concat();
    (output.status.code(), text)
}

#[test]
fn races_in_tools_are_found() {
    for tool in &TOOLS {
        let (status, text) = races(tool, "60s", &["-D", "RACE"]);
        assert_eq!(status, Some(10), "{}:\n{text}", tool.folder);
        assert!(text.contains("error: data race"), "{}:\n{text}", tool.folder);
    }
}

#[test]
fn a_tool_without_its_race_is_safe() {
    let tool = TOOLS.iter().find(|tool| tool.folder == "tracer").expect("it is one of them");
    let (status, text) = races(tool, "60s", &[]);
    assert_eq!(status, Some(0), "{text}");
}

#[test]
fn tools_without_their_races_are_read_and_not_accused() {
    for tool in &TOOLS {
        let (status, text) = races(tool, "5s", &[]);
        assert!(matches!(status, Some(0 | 20)), "{}:\n{text}", tool.folder);
    }
}

#[test]
fn every_boogie_program_has_its_verdict() {
    check_all("tests/boogie", "bpl");
}

/// Programs that have a bug with `-D BUG`, and none without: what is checked says the first line.
#[test]
fn bugs_are_found_and_their_absence_is_proven() {
    let mut failures = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bugs");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    for file in files {
        let text = fs::read_to_string(&file).expect("a readable program");
        let header = |name: &str| text.lines().find_map(|line| line.strip_prefix(&format!("// {name}: ")));
        let property = header("property").unwrap_or_else(|| panic!("{}: no property", file.display()));
        for (macros, expected) in [(&["-D", "BUG"][..], "unsafe"), (&[], "safe")] {
            let mut options = words(header("options").unwrap_or_default());
            options.extend(["--property", property].iter().chain(macros).map(|word| (*word).to_owned()));
            let outcome = outcome(&Expectation { file: file.clone(), expected: expected.into(), options });
            if outcome.split(' ').next() != Some(expected) {
                failures.push(format!("{} {macros:?}: expected {expected}, got {outcome}", file.display()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// So many faults of memory are told by kind at least: which condition fails cannot be said where it is a constant.
const TOLD_BY_KIND: usize = 22;

/// What is said of an access or a `free` that fails is what is wrong with it: the name of the program says so.
#[test]
fn faults_of_memory_are_told_by_kind() {
    let kinds = [
        ("null_", "the pointer is NULL"),
        ("freed_", "the block was freed by "),
        ("twice_", "the block was freed by "),
        ("bounds_", "out of bounds"),
        ("scope_", " is out of scope"),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bugs");
    let mut told = 0;
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let file = entry.expect("an entry").path();
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some((_, own)) = kinds.iter().find(|(kind, _)| name.starts_with(kind)) else { continue };
        let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
        command.args(["verify", "--timeout", "60s", "--property", "memsafety", "-D", "BUG"]).arg(&file);
        let output = command.stdin(Stdio::null()).output().expect("the binary runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        // Which of the conditions fails is not always known, but never another one.
        if text.contains("there is no object") || text.contains("no block, or one") {
            continue;
        }
        told += usize::from(text.contains(own));
        let others = kinds.iter().filter(|(_, other)| other != own && text.contains(other));
        assert_eq!(others.count(), 0, "{name}\n{text}");
    }
    assert!(told >= TOLD_BY_KIND, "only {told} are told by kind");
}

/// Without a property, all are looked at, and each has its line.
#[test]
fn everything_is_looked_at_by_default() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for (file, expected) in [
        ("bugs/null_after_check.c", "verdict: unsafe (valid-deref, no-data-race)"),
        ("bugs/twice_simple.c", "verdict: unsafe (valid-free)"),
        ("bugs/leak_in_thread.c", "verdict: unsafe (valid-memtrack)"),
        ("bugs/undefined_shift.c", "verdict: unsafe (no-undefined)"),
        ("bugs/unset_in_switch.c", "verdict: unsafe (no-uninitialised)"),
        ("default/two_locks.c", "verdict: unsafe (no-deadlock)"),
        ("default/spin_any_number.c", "verdict: unsafe (unreach-call, no-data-race)"),
        (
            "default/many_things.c",
            "verdict: unsafe (unreach-call, valid-deref, no-deadlock, no-data-race, no-overflow)",
        ),
    ] {
        for (macros, expected) in [(&["-D", "BUG"][..], expected), (&[], "verdict: safe")] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
            command.args(["verify", "--timeout", "60s"]).args(macros).arg(folder.join(file)).stdin(Stdio::null());
            let output = command.output().expect("the binary runs");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(text.lines().last(), Some(expected), "{file} {macros:?}\n{text}");
            assert_eq!(text.lines().filter(|line| line.starts_with("valid-")).count(), 3, "{text}");
        }
    }
}
