//! What people are told who name files that are not there, or forget the command.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Runs `braid` in a folder with a program `ok.c`, an empty `empty.c` and a folder `folder.c`; checks the status and how the message begins.
fn check(arguments: &[&str], status: i32, expected: &str) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("messages");
    fs::create_dir_all(folder.join("folder.c")).expect("a folder for files");
    fs::write(folder.join("ok.c"), "int main(void) { return 0; }\n").expect("a file can be written");
    fs::write(folder.join("empty.c"), "").expect("a file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    let output = command.args(arguments).current_dir(&folder).stdin(Stdio::null()).output().expect("the binary runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {said}");
    assert!(said.starts_with(expected), "{arguments:?}: expected\n{expected}\ngot\n{said}");
}

#[test]
fn a_file_is_no_command() {
    check(&["ok.c"], 2, "error: 'ok.c' is a file, not a command\n\n  tip: to verify it: braid verify ok.c\n");
    check(
        &["veriffy", "ok.c"],
        2,
        "error: unrecognized subcommand 'veriffy'\n\n  tip: a similar subcommand exists: 'verify'\n",
    );
}

#[test]
fn files_that_are_not_there() {
    for arguments in [&["verify", "no.c"][..], &["print", "no.c"], &["hyper", "no.c", "--property", "determinism"]] {
        check(arguments, 3, "no.c: there is no such file\n");
    }
    check(&["verify", "ok.c", "no.c"], 3, "no.c:1:1: error: there is no such file\n");
    check(&["verify", "ok.c", "--property", "no.prp"], 3, "no.prp: there is no such file\n");
    check(&["verify", "no.yml"], 3, "no.yml: there is no such file\n");
    check(&["verify", "--compile-commands", "no.json"], 3, "no.json: there is no such file\n");
    check(&["check", "no.cert", "ok.c"], 3, "no.cert: there is no such file\n");
    check(&["replay", "ok.c", "no.json"], 3, "no.json: there is no such file\n");
    check(&["validate", "no.yml", "ok.c"], 3, "no.yml: there is no such file\n");
}

#[test]
fn files_that_are_no_programs() {
    check(&["verify", "folder.c"], 3, "folder.c: this is a directory, not a file\n");
    check(&["check", "folder.c", "ok.c"], 3, "folder.c: this is a directory, not a file\n");
    let hint =
        "hint: for a library, say what calls its functions: --entry FUNCTION, or --threads \"f(&x)\" for each thread\n";
    check(&["verify", "empty.c"], 3, &format!("empty.c:1:1: error: there is no function `main`\n{hint}"));
}

#[test]
fn programs_that_are_not_followed_can_be_run() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("not_followed");
    fs::create_dir_all(&folder).expect("a folder for files");
    let offered = |name: &str, text: &str| {
        fs::write(folder.join(name), text).expect("a file can be written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
        let output = command.args(["verify", name]).current_dir(&folder).output().expect("the binary runs");
        let said = [output.stdout, output.stderr].concat();
        String::from_utf8_lossy(&said)
            .contains(&format!("braid verify --engine run {name}. That executes the program.\n"))
    };
    let jump = "#include <setjmp.h>\njmp_buf b;\nint main(void) { return setjmp(b); }\n";
    assert!(offered("jump.c", jump));
    assert!(offered("field.c", "struct { int n; int a[]; } s = {1, {2}};\nint main(void) { return s.n; }\n"));
    assert!(!offered("no_c.c", "int main(void) { return x; }\n"));
    assert!(!offered("plain.c", "int main(void) { return 0; }\n"));
}
