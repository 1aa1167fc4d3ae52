//! `braid doctor`: what it says of this machine, and of machines on which something is missing.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

fn doctor(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    command.arg("doctor").args(arguments).envs(variables.iter().copied()).env("COLUMNS", "100");
    command.output().expect("the binary runs")
}

/// The state of a finding, and what is advised.
fn finding(output: &Output, name: &str) -> (String, String) {
    let document: Value = serde_json::from_slice(&output.stdout).expect("this is JSON");
    let checks = document["checks"].as_array().expect("there are findings");
    let found = checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("no {name}: {document:#}"));
    let text = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
    (text("state"), text("advice"))
}

#[test]
fn this_machine_can_verify() {
    let output = doctor(&[], &[]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for line in ["ok       solver ", "ok       temporary files ", "ok       C preprocessor ", "ok       C headers "] {
        assert!(said.lines().any(|said| said.starts_with(line)), "{line}: {said}");
    }
    assert!(said.ends_with("\nAll that verification needs is there.\n"), "{said}");
}

#[test]
fn programs_are_run_here() {
    // The tests of engine `run` need a compiler, too.
    let output = doctor(&["--json"], &[]);
    assert_eq!(finding(&output, "compiled programs").0, "ok", "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn without_a_compiler() {
    let output = doctor(&["--json"], &[("PATH", "/nowhere")]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(finding(&output, "solver").0, "ok");
    let (state, advice) = finding(&output, "C preprocessor");
    assert_eq!((state.as_str(), advice.starts_with("install gcc")), ("missing", true), "{advice}");
    assert_eq!(finding(&output, "C headers").0, "missing");
    assert_eq!(finding(&output, "compiled programs").0, "note");
}

#[test]
fn without_temporary_files() {
    let output = doctor(&["--json"], &[("TMPDIR", "/dev/null")]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(finding(&output, "temporary files"), ("missing".into(), "set TMPDIR to a folder of your own".into()));
}

#[test]
fn other_solvers_are_tried() {
    let output = doctor(&["--json", "--solver", "/nowhere/solver"], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(finding(&output, "--solver").0, "missing");
    // Says neither yes nor no.
    let output = doctor(&["--json", "--solver", "cat"], &[]);
    assert_eq!(finding(&output, "--solver").0, "missing");
    let z3 = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../.z3/bin/z3");
    if z3.exists() {
        let output = doctor(&["--json", "--solver", &format!("'{}' -in", z3.display())], &[]);
        assert_eq!(finding(&output, "--solver").0, "ok", "{}", String::from_utf8_lossy(&output.stdout));
    }
}
