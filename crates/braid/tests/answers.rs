//! What the library says is what the command says, and it leaves the process alone.

use braid::{Engine, Error, Kind, Verdict, Verifier};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

fn example(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// A C program in a file of its own.
fn program(name: &str, text: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&file, text).expect("the file can be written");
    file
}

const RACE: &str = "#include <pthread.h>
int count;
void *add(void *unused) { count = count + 1; return unused; }
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, add, 0);
  add(0);
  pthread_join(other, 0);
  return 0;
}
";

#[test]
fn a_race_has_an_execution_and_places() {
    let answer = Verifier::new().verify(program("race.c", RACE)).expect("the program is read");
    assert_eq!(answer.verdict(), Verdict::Unsafe);
    assert_eq!(answer.reason(), Some("no-data-race"));
    let violated: Vec<&str> =
        answer.properties().filter(|one| one.verdict() == Verdict::Unsafe).map(|one| one.name()).collect();
    assert_eq!(violated, ["no-data-race"]);
    let execution = answer.executions().next().expect("there is one");
    assert_eq!(execution.ending.title, "data race");
    assert_eq!(execution.ending.spots.len(), 2);
    assert!(execution.rows.iter().any(|step| step.kind == Kind::Start), "{execution:?}");
    assert!(answer.unchecked().contains(&"progress"));
    assert_eq!(answer.json()["options"].as_array().map(Vec::len), Some(0));
    assert!(answer.text().contains("data race"), "{}", answer.text());
}

#[test]
fn several_at_once() {
    let verifier = Verifier::new().timeout(Duration::from_secs(60));
    let files = [("lost-update.wvr", Verdict::Unsafe), ("handoff.wvr", Verdict::Safe), ("peterson.wvr", Verdict::Safe)];
    thread::scope(|scope| {
        let started = files.map(|(name, expected)| {
            let verifier = &verifier;
            (name, expected, scope.spawn(move || verifier.verify(example(name)).map(|answer| answer.verdict())))
        });
        for (name, expected, running) in started {
            assert_eq!(running.join().expect("nothing panics"), Ok(expected), "{name}");
        }
    });
}

#[test]
fn it_can_be_stopped() {
    let endless = program(
        "endless.c",
        "int main(void) { unsigned a, b; if (a * a * b * b == 3 * b * b * b + 77 * a && a > 9 && b > 9) return 1 / (int)(a & b); return 0; }",
    );
    let flag = Arc::new(AtomicBool::new(false));
    let set = flag.clone();
    let stopper = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        set.store(true, Ordering::Relaxed);
    });
    let start = Instant::now();
    let answer = Verifier::new().cancelled_by(flag).property("no-undefined").verify(endless);
    stopper.join().expect("nothing panics");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert!(answer.is_ok());
}

#[test]
fn time_is_limited() {
    let start = Instant::now();
    let answer = Verifier::new().timeout(Duration::from_millis(1)).verify(example("bounded-buffer.wvr"));
    let answer = answer.expect("a time-out is an answer");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    if answer.verdict() == Verdict::Unknown {
        assert_eq!(answer.reason(), Some("timeout"));
    }
}

#[test]
fn what_is_wrong_is_an_error() {
    let usage = |verifier: Verifier, expected: &str| match verifier.verify(example("handoff.wvr")) {
        Err(Error::Usage(message)) => assert!(message.contains(expected), "{message}"),
        other => panic!("{other:?}"),
    };
    usage(Verifier::new().property("no-such"), "`no-such` is not a property");
    usage(Verifier::new().options(["--instances", "many"]), "invalid value 'many'");
    usage(Verifier::new().options(["other.wvr"]), "the options name a file");
    usage(Verifier::new().options(["--json", "out.json"]), "options that write files");
    usage(Verifier::new().engine(Engine::Run), "engine run");
    let file = program("wrong.c", "int main(void) { return 1 +; }\n");
    match Verifier::new().verify(&file) {
        Err(Error::Rejected(message)) => assert!(message.contains("wrong.c:1:28: error:"), "{message}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn names_that_look_like_options_are_files() {
    let wrong = Verifier::new().verify("--all.c");
    assert_eq!(wrong.err(), Some(Error::Rejected("--all.c: there is no such file".into())));
}
