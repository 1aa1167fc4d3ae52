//! Completions and manual pages, tried with the shells and the `man` that are installed; `scripts/setup shells` gets them.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn braid(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_braid")).args(arguments).output().expect("the binary runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// A folder of this test process.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// Completions of a shell as a file.
fn completions(shell: &str) -> String {
    let file = folder("shells").join(format!("braid.{shell}"));
    fs::write(&file, braid(&["completions", shell])).expect("the file can be written");
    file.to_str().expect("a path in UTF-8").to_owned()
}

/// What a program does; none, with a word about it, where it is not installed.
fn run(program: &str, arguments: &[&str]) -> Option<Output> {
    let output = Command::new(program).args(arguments).env("LC_ALL", "C.UTF-8").stdin(Stdio::null()).output();
    if output.is_err() {
        println!("skipped: {program} is not installed");
    }
    output.ok()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn bash_completes_commands_options_and_values() {
    let file = completions("bash");
    let check = |words: &[&str], expected: &str| {
        let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        let (last, before) = (words[words.len() - 1], words[words.len() - 2]);
        let script = format!(
            "source '{file}'; COMP_WORDS=({}); COMP_CWORD={}; _braid braid '{last}' '{before}'; echo \"${{COMPREPLY[@]}}\"",
            quoted.join(" "),
            words.len() - 1
        );
        let Some(output) = run("bash", &["--norc", "-c", &script]) else { return };
        assert_eq!((text(&output.stdout).trim(), text(&output.stderr).trim()), (expected, ""), "{words:?}");
    };
    check(&["braid", "ver"], "verify");
    check(&["braid", "verify", "--prop"], "--property");
    check(&["braid", "verify", "--engine", "ge"], "gem");
    check(&["braid", "completions", "f"], "fish");
    check(&["braid", "doctor", "--j"], "--json");
}

#[test]
fn fish_completes() {
    let file = completions("fish");
    let script = format!("source '{file}'; complete -C 'braid ver'; complete -C 'braid verify --engine par'");
    let Some(output) = run("fish", &["--no-config", "-c", &script]) else { return };
    let said = text(&output.stdout);
    let names: Vec<&str> = said.lines().filter_map(|line| line.split('\t').next()).collect();
    assert_eq!((names, text(&output.stderr)), (vec!["verify", "parametric"], String::new()), "{said}");
}

#[test]
fn zsh_reads_its_completions() {
    let file = completions("zsh");
    let Some(output) = run("zsh", &["-f", "-n", &file]) else { return };
    assert!(output.status.success(), "{}", text(&output.stderr));
    // As zsh loads it: the function is defined, and bound to the command.
    let script =
        format!("autoload -Uz compinit; compinit -D -u; source '{file}'; print $_comps[braid] $+functions[_braid]");
    let Some(output) = run("zsh", &["-f", "-c", &script]) else { return };
    assert_eq!((text(&output.stdout).trim(), text(&output.stderr).as_str()), ("_braid 1", ""));
}

#[test]
fn manual_pages_are_clean() {
    let pages = folder("man");
    braid(&["man", "--to", pages.to_str().expect("a path in UTF-8")]);
    let mut names = Vec::new();
    for page in fs::read_dir(&pages).expect("the folder is there").flatten() {
        names.push(page.file_name().to_string_lossy().into_owned());
        let path = page.path();
        let path = path.to_str().expect("a path in UTF-8");
        let Some(output) = run("man", &["--warnings", "-E", "UTF-8", "-l", path]) else {
            continue;
        };
        let (shown, warned) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(warned, "", "{path}");
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "SEE ALSO"] {
            assert!(shown.lines().any(|line| line.trim() == section), "{path} has no {section}:\n{shown}");
        }
    }
    names.sort();
    assert_eq!(names.first().map(String::as_str), Some("braid-bench.1"), "{names:?}");
    assert!(names.contains(&"braid.1".to_owned()) && names.contains(&"braid-verify.1".to_owned()), "{names:?}");
}

#[test]
fn pages_of_commands() {
    assert!(braid(&["man"]).contains(".SH \"EXIT STATUS\""));
    assert!(braid(&["man", "hyper"]).contains("forall p q: p.x == q.x"));
    let wrong = Command::new(env!("CARGO_BIN_EXE_braid")).args(["man", "veriffy"]).output().expect("the binary runs");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).starts_with("error: there is no command `veriffy`\nhint: there are bench, "));
}
