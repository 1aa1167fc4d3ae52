//! `modular` on small programs: what the environment can and cannot do, on one level and on several.

use braid_engines::modular::{External, Hierarchy, Modular};
use braid_engines::{Control, Engine, Outcome, Proof, Reason, Task, Verdict};
use braid_frontend::{Language, parse};
use braid_logic::TermPool;
use braid_program::{LowerOptions, lower};
use std::time::{Duration, Instant};

fn verified(text: &str, engine: &Modular, fuse: bool) -> Outcome {
    let program = parse("test", text, Language::Braid).unwrap_or_else(|errors| panic!("{errors}"));
    let pool = TermPool::new();
    let program = lower(&program, &pool, LowerOptions { fuse, ..LowerOptions::default() }).expect("lowers");
    engine.verify(&Task::new(&program), &Control::new().until(Some(Instant::now() + Duration::from_secs(20))))
}

fn check(text: &str, is_safe: bool) {
    for fuse in [true, false] {
        let verdict = verified(text, &Modular::default(), fuse).verdict;
        let as_expected = match &verdict {
            Verdict::Safe(_) => is_safe,
            Verdict::Unsafe(_) => !is_safe,
            Verdict::Unknown(_) => false,
        };
        assert!(as_expected, "{verdict:?}\n{text}");
    }
}

/// The assertion needs what the other thread cannot do: `x` never goes down.
#[test]
fn the_environment_is_refined_by_need() {
    let program = |step: &str| {
        format!(
            "(var x y Int) (seq (set! x 0)
               (par (seq (set! y x) (assert (<= y x))) (seq (set! x (+ x {step})) (set! x (+ x 1)))))"
        )
    };
    check(&program("1"), true);
    check(&program("(- 1)"), false);
}

/// A violation takes turns: both threads must move twice.
#[test]
fn promises_lead_to_a_violation() {
    let program = |last: &str| {
        format!(
            "(var a b Int) (seq (set! a 0) (seq (set! b 0)
               (par (seq (assume (= b 1)) (seq (set! a 1) (seq (assume (= b 2)) (assert (= a {last})))))
                    (seq (set! b 1) (seq (assume (= a 1)) (set! b 2))))))"
        )
    };
    check(&program("1"), true);
    check(&program("2"), false);
}

/// Three threads in a chain: the second level is asked about the third.
fn chain(bound: u32) -> String {
    format!(
        "(var a b c Int) (seq (set! a 0) (seq (set! b 0) (seq (set! c 0)
           (par (seq (set! a b) (assert (<= a {bound}))) (set! b c) (seq (set! c 1) (set! c 2))))))"
    )
}

#[test]
fn environments_have_environments() {
    check(&chain(2), true);
    check(&chain(1), false);
}

#[test]
fn the_flow_of_data_orders_the_threads() {
    let hierarchy = |engine: &Modular| match verified(&chain(2), engine, true).verdict {
        Verdict::Safe(Proof::Modular { hierarchy, .. }) => hierarchy,
        other => panic!("{other:?}"),
    };
    let auto = hierarchy(&Modular::default());
    let names: Vec<&str> = auto.split(" > ").collect();
    assert_eq!(names.len(), 3, "{auto}");
    let turned = format!("{},{}", names[2], names[1]);
    let given = Modular { hierarchy: turned.parse().expect("a list"), ..Modular::default() };
    assert_eq!(hierarchy(&given), format!("{} > {} > {}", names[0], names[2], names[1]));
    let wrong = Modular { hierarchy: Hierarchy::Given(vec!["nobody".into()]), ..Modular::default() };
    assert!(matches!(verified(&chain(2), &wrong, true).verdict, Verdict::Unknown(Reason::Incomplete(_))));
}

/// What is asserted behind the end of all branches: the first thread depends on where the others are.
#[test]
fn joined_threads_have_ended() {
    let program = |claim: &str| {
        format!("(var x y Int) (seq (set! x 0) (seq (set! y 0) (seq (par (set! x 1) (set! y 1)) (assert {claim}))))")
    };
    check(&program("(= (+ x y) 2)"), true);
    check(&program("(= (+ x y) 1)"), false);
}

/// A branch that runs again and again, started and joined behind the prefix: often beyond the engine, never a wrong answer.
#[test]
fn threads_that_start_again_give_no_wrong_answer() {
    let program = |claim: &str| {
        format!(
            "(var x n Int) (seq (set! x 0) (seq (set! n 0)
               (while (< n 2) (seq (par (set! x (+ x 1)) (set! n (+ n 1))) (assert {claim})))))"
        )
    };
    for fuse in [true, false] {
        let verdict = |claim: &str| verified(&program(claim), &Modular::default(), fuse).verdict;
        assert!(!matches!(verdict("(= x n)"), Verdict::Unsafe(_) | Verdict::Unknown(Reason::Internal(_))));
        assert!(!matches!(verdict("(< x n)"), Verdict::Safe(_) | Verdict::Unknown(Reason::Internal(_))));
    }
}

/// The assertion fails only on the second run, which another thread starts: a promise there has to say where the thread is.
#[test]
fn a_thread_may_fail_on_its_second_run() {
    let program = |value: u32| {
        format!("(var x Int) (seq (set! x 0) (loop (par (seq (assert (= x 0)) (set! x {value})) (assume true))))")
    };
    check(&program(1), false);
    check(&program(0), true);
}

/// Peterson's algorithm (Figure 1).
fn peterson(first: &str) -> String {
    format!(
        "(var claim0 claim1 cs1 Bool) (var turn Int)
         (seq (set! claim0 false) (set! claim1 false) (set! cs1 false)
           (par (loop (seq (set! claim0 true) {first} (assume (or (not claim1) (= turn 0)))
                           (assert (not cs1)) (set! claim0 false)))
                (loop (seq (set! claim1 true) (set! turn 0) (assume (or (not claim0) (= turn 1)))
                           (set! cs1 true) (set! cs1 false) (set! claim1 false)))))"
    )
}

#[test]
fn peterson_is_proven_and_its_mutant_is_not() {
    check(&peterson("(set! turn 1)"), true);
    check(&peterson("(assume true)"), false);
}

/// A directory of this test alone.
fn directory(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("braid-modular-{name}-{}", std::process::id()))
}

fn externally(command: &str, keep: Option<std::path::PathBuf>) -> Modular {
    Modular { external: External { command: Some(command.into()), keep }, ..Modular::default() }
}

/// A stub that says what it is told: its `safe` is named and no proof, its `unsafe` needs a path.
#[test]
fn external_checkers_are_asked_and_named() {
    for bound in [2, 1] {
        // Whether the command is right or lies, Braid does not know.
        let said = verified(&chain(bound), &externally("echo safe {file}", None), true).verdict;
        let Verdict::Unknown(Reason::Incomplete(reason)) = said else { panic!("{said:?}") };
        assert!(reason.starts_with("safe if `echo safe {file}` is right about "), "{reason}");
    }
    // A command that lies about a violation is contradicted by the built-in checker.
    let lied = verified(&chain(2), &externally("echo unsafe", None), true).verdict;
    assert!(matches!(lied, Verdict::Unknown(Reason::Incomplete(_))), "{lied:?}");
    let real = verified(&chain(1), &externally("echo VERIFICATION FAILED", None), true).verdict;
    assert!(matches!(real, Verdict::Unsafe(_)), "{real:?}");
    // Without an answer the built-in checker decides.
    let silent = verified(&chain(2), &externally("false", None), true).verdict;
    assert!(matches!(&silent, Verdict::Safe(Proof::Modular { .. })), "{silent:?}");
}

/// The programs that stay are C that a compiler accepts.
#[test]
fn sequential_programs_stay_as_c() {
    let keep = directory("kept");
    let verdict = verified(&chain(1), &externally("true", Some(keep.clone())), true).verdict;
    assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
    let files: Vec<_> = std::fs::read_dir(&keep).expect("kept").map(|file| file.expect("a file").path()).collect();
    assert!(!files.is_empty());
    let compiler = |file: &std::path::Path| {
        std::process::Command::new("cc").args(["-fsyntax-only", "-w"]).arg(file).output().map(|output| output.status)
    };
    for file in &files {
        match compiler(file) {
            Ok(status) => assert!(status.success(), "{}", file.display()),
            Err(_) => println!("skipped: there is no C compiler"),
        }
    }
    std::fs::remove_dir_all(&keep).expect("removed");
}

/// A real checker, where one is installed.
#[test]
fn a_real_checker_agrees() {
    let installed = |name: &str| std::process::Command::new(name).arg("--version").output().is_ok();
    let Some(name) = ["cbmc", "esbmc"].into_iter().find(|name| installed(name)) else {
        println!("skipped: neither cbmc nor esbmc is installed");
        return;
    };
    let engine = externally(&format!("{name} {{file}} --unwind 5"), None);
    assert!(!matches!(verified(&chain(2), &engine, true).verdict, Verdict::Unsafe(_)));
    assert!(matches!(verified(&chain(1), &engine, true).verdict, Verdict::Unsafe(_)));
}
