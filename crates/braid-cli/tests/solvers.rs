//! Verdicts on the examples, with nothing but another solver to decide what is true: it must not contradict Braid's own and Z3.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The last word of `braid verify` on a file.
fn verdict(file: &Path, solver: Option<&str>) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    command.args(["verify", "--quiet", "--engine", "gem", "--timeout", "4s"]).arg(file);
    if let Some(solver) = solver {
        command.args(["--solver", solver]);
    }
    let output = command.stdin(Stdio::null()).output().expect("the binary runs");
    let said = String::from_utf8(output.stdout).expect("text");
    said.trim().trim_start_matches("verdict: ").to_owned()
}

/// The solvers that are there: Z3's own program, and cvc5 from its wheel (`scripts/setup cvc5`).
fn solvers(root: &Path) -> Vec<String> {
    let solvers = [(".z3/bin/z3", "-in"), ("scripts/cvc5", "")];
    let mut found = Vec::new();
    for (program, options) in solvers {
        let path = root.join(program);
        let run = Command::new(&path).args(options.split_whitespace()).stdin(Stdio::null()).output();
        match run.is_ok_and(|output| output.status.success()) {
            true => found.push(format!("'{}' {options}", path.display())),
            false => println!("skipped: {program} cannot be run"),
        }
    }
    found
}

#[test]
fn other_solvers_confirm_verdicts() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let solvers = solvers(&root);
    let mut files: Vec<PathBuf> =
        fs::read_dir(root.join("examples")).expect("there are examples").flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some());
    files.sort();
    let known = |file: PathBuf| Some((verdict(&file, None), file)).filter(|(own, _)| !own.starts_with("unknown"));
    let known: Vec<(String, PathBuf)> = files.into_iter().filter_map(known).collect();
    for solver in &solvers {
        let mut confirmed = 0;
        for (own, file) in &known {
            let other = verdict(file, Some(solver));
            let agrees = other == *own;
            assert!(agrees || other.starts_with("unknown"), "{}: {own}, but {other} by {solver}", file.display());
            confirmed += usize::from(agrees);
        }
        println!("{solver} confirms {confirmed} of {} verdicts", known.len());
        assert!(2 * confirmed > known.len(), "{solver} confirms {confirmed} verdicts only");
    }
}
