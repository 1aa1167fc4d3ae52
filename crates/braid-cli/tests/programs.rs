//! Whole programs: each file under `tests/c` and `tests/boogie` says in its first lines what is to come out, with which
//! options, and why.

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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let entries = fs::read_dir(&folder).expect("the folder of programs is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    assert!(!files.is_empty(), "there are programs");
    files.sort();
    let read = |file: PathBuf| {
        let text = fs::read_to_string(&file).expect("a readable program");
        let header = |name: &str| text.lines().find_map(|line| line.strip_prefix(&format!("// {name}: ")));
        let expected = header("expect").unwrap_or_else(|| panic!("{}: no expectation", file.display())).to_owned();
        let options = header("options").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        Expectation { file, expected, options }
    };
    files.into_iter().map(read).collect()
}

/// What came out, in the form of an expectation.
fn outcome(expectation: &Expectation) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    command.args(["verify", "--quiet", "--timeout", "60s"]).args(&expectation.options).arg(&expectation.file);
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
            failures.push(format!("{file}: expected {}, got {outcome}", expectation.expected));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_c_program_has_its_verdict() {
    check_all("c", "c");
}

#[test]
fn every_boogie_program_has_its_verdict() {
    check_all("boogie", "bpl");
}
