//! `--engine delay` and `braid sequentialize` as users meet them: delays in verdicts and JSON, and sequential programs that other tools (and
//! Braid itself) give the same verdict on.

mod real_boogie;

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A page that may be shown before its picture is loaded.
const LATE: &str = "
type task a; var loaded: bool;
procedure fetch() returns (r: int) { r := 1; }
procedure load() modifies loaded; {
  var t: task int; var x: int;
  assume {:yield} true;
  call {:async t} x := fetch();
  assume {:wait x, t} true;
  loaded := x == 1;
}
procedure main() modifies loaded; {
  var u: task int;
  loaded := false;
  call {:async u} load();
  call {:async u} fetch_sound();
  assume {:wait u} true;
  assert loaded;
}
procedure fetch_sound() { }
";

/// The same, but the page waits for the picture.
fn in_time() -> String {
    LATE.replace("call {:async u} fetch_sound();", "")
}

/// Two threads add to one counter.
const LOST_UPDATE: &str = "
#include <pthread.h>
extern void abort(void);
void reach_error(void) {}
int counter = 0;
void *add(void *argument) { LOCK int own = counter; counter = own + 1; UNLOCK return 0; }
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (counter != 2) { reach_error(); abort(); }
  return 0;
}
";

fn braid(arguments: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    let output = command.args(arguments).stdin(Stdio::null()).output().expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (text(output.stdout), text(output.stderr), output.status.code())
}

/// Writes a file. Each test has a folder of its own: they run side by side.
fn file(name: &str, content: &str) -> String {
    let test = std::thread::current().name().unwrap_or("main").replace("::", "-");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("delay").join(test);
    fs::create_dir_all(&folder).expect("a folder for files");
    let path = folder.join(name);
    fs::write(&path, content).expect("a file can be written");
    path.to_str().expect("a plain name").to_owned()
}

/// The verdict with its reason, and the number of delays.
fn delays(file: &str, options: &[&str]) -> (String, Option<u64>) {
    let mut arguments = vec!["verify", file, "--engine", "delay", "--json", "-", "--timeout", "30s"];
    arguments.extend(["--property", "unreach-call"]);
    arguments.extend(options);
    let (text, errors, _) = braid(&arguments);
    let mut lines = text.lines();
    let document: Value = serde_json::from_str(lines.next().unwrap_or_default()).unwrap_or_else(|_| panic!("{errors}"));
    let verdict = lines.next().and_then(|line| line.strip_prefix("verdict: ")).unwrap_or_default();
    (verdict.to_owned(), document["delays"].as_u64())
}

fn check(file: &str, options: &[&str], verdict: &str, expected: u64) {
    assert_eq!(delays(file, options), (verdict.to_owned(), Some(expected)), "{file} {options:?}");
}

#[test]
fn delays_are_counted_and_bounded() {
    let late = file("late.bpl", LATE);
    check(&late, &[], "unsafe", 1);
    check(&late, &["--delays", "0"], "unknown (no violation within 0 delays)", 0);
    check(&late, &["--scheduler", "df", "--delays", "4"], "unsafe", 2);
    check(&late, &["--scheduler", "df", "--delays", "1"], "unknown (no violation within 1 delay)", 1);
    let in_time_file = file("in-time.bpl", &in_time());
    // Each task is waited for at once: there is one schedule.
    check(&in_time_file, &["--delays", "2"], "safe", 0);
    let two_schedules = in_time().replace("call {:async u} load();", "call {:async u} load(); assume {:yield} true;");
    let two_schedules = file("two-schedules.bpl", &two_schedules);
    assert_eq!(delays(&two_schedules, &["--delays", "2"]).0, "unknown (no violation within 2 delays)");
}

#[test]
fn threads_of_c_are_delayed_at_shared_accesses() {
    let racy = file("racy.c", &LOST_UPDATE.replace("LOCK ", "").replace("UN", ""));
    check(&racy, &[], "unsafe", 1);
    let locked = LOST_UPDATE
        .replace("UNLOCK", "pthread_mutex_unlock(&mutex);")
        .replace("LOCK", "pthread_mutex_lock(&mutex);")
        .replace("int counter", "pthread_mutex_t mutex;\nint counter");
    let locked = file("locked.c", &locked);
    assert_eq!(delays(&locked, &["--delays", "2"]).0, "unknown (no violation within 2 delays)");
}

#[test]
fn more_instances_are_tried_where_a_chain_needs_them() {
    let chain = "type task a; var i: int;
      procedure p() returns (r: int) { return; }
      procedure main() modifies i; { var t: task int; var x: int; i := 0;
        while (i < 20) { call {:async t} x := p(); i := i + 1; assume {:wait x, t} true; }
        assert i < 20; }";
    let chain = file("chain.bpl", chain);
    check(&chain, &["--delays", "1"], "unsafe", 0);
    let result = file("chain.json", "");
    braid(&["verify", &chain, "--engine", "delay", "--quiet", "--json", &result]);
    let (_, errors, status) = braid(&["replay", &chain, &result]);
    assert_eq!(status, Some(10), "{errors}");
}

fn sequential(file: &str, scheduler: &str, delays: &str, form: &str) -> String {
    let (text, errors, status) =
        braid(&["sequentialize", file, "--scheduler", scheduler, "--delays", delays, "--as", form]);
    assert_eq!(status, Some(0), "{errors}");
    text
}

#[test]
fn sequential_programs_have_the_bugs_within_their_delays() {
    let (late, in_time) = (file("late-2.bpl", LATE), file("in-time-2.bpl", &in_time()));
    for (program, scheduler, number, fails) in [
        (&late, "dfw", "0", false),
        (&late, "dfw", "1", true),
        (&in_time, "dfw", "1", false),
        (&late, "df", "1", false),
        (&late, "df", "2", true),
    ] {
        for (form, extension) in [("boogie", "bpl"), ("braid", "braid"), ("c", "c")] {
            let text = sequential(program, scheduler, number, form);
            assert!(!text.contains("{:async}") && !text.contains("(async") && !text.contains("pthread"), "{text}");
            let made = file(&format!("sequential-{scheduler}-{number}-{fails}.{extension}"), &text);
            if (form, scheduler) == ("c", "df") {
                // Copies of arrays in C are much for a path exploration; that the text is C says the compiler.
                let compiled = Command::new("cc").args(["-fsyntax-only", &made]).status().expect("cc runs");
                assert!(compiled.success(), "{made}");
                continue;
            }
            let (verdict, _) = delays(&made, &["--delays", "0"]);
            let expected = if fails { "unsafe" } else { "safe" };
            let unknown = !fails && verdict.starts_with("unknown (no violation within 0 delays");
            assert!(verdict == expected || unknown, "{made}: {verdict}");
        }
    }
}

#[test]
fn what_cannot_be_sequentialized_is_rejected_with_its_place() {
    let par = file("par.braid", "(var x Int) (set! x 0) (par (set! x 1) (set! x 2)) (assert (= x 2))");
    let (_, errors, status) = braid(&["sequentialize", &par]);
    assert_eq!(status, Some(3));
    assert!(errors.contains("1:24") && errors.contains("a `par` cannot be sequentialized"), "{errors}");
}
