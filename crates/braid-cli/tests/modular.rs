//! `--engine modular` as users meet it: hierarchies by name, and proofs as files and JSON.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Two threads that add to each other's variables.
const RING: &str = "
#include <pthread.h>
extern void abort(void);
void reach_error(void) {}
int a = 1, b = 1;
void *first(void *unused) {
  __VERIFIER_atomic_begin(); a = a + b; __VERIFIER_atomic_end();
  if (a > BOUND) { reach_error(); abort(); }
  return 0;
}
void *second(void *unused) { __VERIFIER_atomic_begin(); b = b + a; __VERIFIER_atomic_end(); return 0; }
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, first, 0);
  pthread_create(&y, 0, second, 0);
  return 0;
}
";

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("modular").join(name)
}

fn ring(bound: u32) -> String {
    fs::create_dir_all(folder("")).expect("a folder for files");
    let path = folder(&format!("ring-{bound}.c"));
    fs::write(&path, RING.replace("BOUND", &bound.to_string())).expect("a file can be written");
    path.to_str().expect("a plain name").to_owned()
}

/// What goes to standard output and to standard error, and the exit status.
fn braid(arguments: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    let output = command.args(arguments).stdin(Stdio::null()).output().expect("braid runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (text(output.stdout), text(output.stderr), output.status.code())
}

fn verified(file: &str, options: &[&str]) -> (String, String, Option<i32>) {
    let arguments = ["verify", file, "--engine", "modular", "--property", "unreach-call", "--timeout", "30s"];
    braid(&arguments.into_iter().chain(options.iter().copied()).collect::<Vec<_>>())
}

#[test]
fn a_hierarchy_names_threads_that_exist() {
    let (text, _, status) = verified(&ring(3), &["--hierarchy", "second"]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("Hierarchy first > second: "), "{text}");
    let (text, errors, status) = verified(&ring(3), &["--hierarchy", "second,third"]);
    assert_eq!((text.as_str(), status), ("", Some(2)), "{errors}");
    assert!(errors.contains("there is no thread third"), "{errors}");
    assert!(errors.contains("the threads are main, first, second"), "{errors}");
    let (_, errors, status) = verified(&ring(3), &["--hierarchy", "first,,second"]);
    assert_eq!(status, Some(2), "{errors}");
}

#[test]
fn proofs_are_kept_as_files_and_in_json() {
    let keep = folder("kept");
    let keep_name = keep.to_str().expect("a plain name");
    let (text, errors, status) = verified(&ring(3), &["--json", "-", "--keep", keep_name]);
    assert_eq!(status, Some(0), "{errors}");
    let document: Value = serde_json::from_str(text.lines().next().unwrap_or_default()).expect("a document");
    let program = &document["queries"]["programs"][0];
    assert_eq!(program["thread"], "first");
    let assertions = program["assertions"].as_array().expect("a proof");
    let errors = program["errors"].as_array().expect("error locations");
    assert!(!errors.is_empty());
    for error in errors {
        assert_eq!(assertions[error.as_u64().expect("a number") as usize], "false");
    }
    let proof = fs::read_to_string(keep.join("proof-01-first.c")).expect("kept");
    assert!(proof.contains("/* false */\nL"), "{proof}");
    fs::remove_dir_all(&keep).expect("removed");
    // There is no proof of what is wrong.
    let (text, errors, status) = verified(&ring(2), &["--json", "-"]);
    assert_eq!(status, Some(10), "{errors}");
    let document: Value = serde_json::from_str(text.lines().next().unwrap_or_default()).expect("a document");
    assert_eq!(document["queries"]["programs"], Value::Null);
}
