//! `modular` on small programs: what the environment can and cannot do, on one level and on several.

use braid_engines::modular::{External, Hierarchy, Modular};
use braid_engines::{
    Argument, Claim, Control, Engine, Environments, Outcome, Proof, Reason, SequentialProof, Task, Verdict,
};
use braid_frontend::{Language, parse};
use braid_logic::text::{PoolScope, parse_term};
use braid_logic::{Solver, SolverOptions, Sort, Substitution, Term, TermPool, Validity};
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

fn environments(proof: Proof) -> Environments {
    match proof.argument {
        Argument::Modular(environments) => environments,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_flow_of_data_orders_the_threads() {
    let hierarchy = |engine: &Modular| match verified(&chain(2), engine, true).verdict {
        Verdict::Safe(proof) => environments(*proof).hierarchies.join("; "),
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

/// A ring: each thread adds up what the next one has, and the last one what the first one has.
fn ring(threads: usize, bound: u32) -> String {
    let names: Vec<String> = (0..threads).map(|number| format!("v{number}")).collect();
    let starts: String = names.iter().map(|name| format!("(set! {name} 1) ")).collect();
    let branch = |number: usize| {
        let (own, next) = (&names[number], &names[(number + 1) % threads]);
        let add = format!("(set! {own} (+ {own} {next}))");
        let claim = if number == 0 { format!("(assert (<= v0 {bound}))") } else { "(assume true)".into() };
        format!("(seq {add} {claim} {add} {claim})")
    };
    let branches: Vec<String> = (0..threads).map(branch).collect();
    format!("(var {} Int) (seq {starts} (par {}))", names.join(" "), branches.join(" "))
}

/// Nobody stands above the others: everything that the environment can do is found going backwards.
#[test]
fn in_a_ring_all_ways_are_found() {
    check(&ring(2, 8), true);
    check(&ring(2, 7), false);
    check(&ring(3, 15), true);
    check(&ring(3, 14), false);
}

/// Without samples violations are found by promises, and fewer facts are known before the first query.
#[test]
fn samples_are_not_needed() {
    let engine = Modular { samples: 0, ..Modular::default() };
    for fuse in [true, false] {
        let is_safe = |text: &str| match verified(text, &engine, fuse).verdict {
            Verdict::Safe(_) => true,
            Verdict::Unsafe(_) => false,
            Verdict::Unknown(reason) => panic!("{reason}\n{text}"),
        };
        assert!(is_safe(&chain(2)) && !is_safe(&chain(1)));
        assert!(is_safe(&ring(2, 8)) && !is_safe(&ring(2, 7)));
        assert!(!is_safe(&ring(3, 14)));
    }
}

/// What a kept proof says, checked again from its text alone: in a pool of its own, with a solver of its own.
fn is_proof(proof: &SequentialProof) -> bool {
    let pool = TermPool::new();
    for (name, sort) in &proof.variables {
        let sort = match sort.as_str() {
            "Int" => Sort::INT,
            "Bool" => Sort::BOOL,
            other => panic!("a variable of sort {other}"),
        };
        pool.var(name, sort);
    }
    let term = |text: &str| parse_term(&pool, text, &PoolScope(&pool)).expect("a term");
    let assertions: Vec<Term> = proof.assertions.iter().flatten().map(|text| term(text)).collect();
    let mut solver = Solver::new(&pool, SolverOptions::default()).expect("a solver");
    let mut follows = |premises: &[Term], conclusion: Term| solver.entails(premises, conclusion) == Validity::Valid;
    follows(&[], assertions[proof.entry as usize])
        && proof.errors.iter().all(|&error| assertions[error as usize] == Term::FALSE)
        && proof.actions.iter().all(|action| {
            let update = |(name, value): &(String, String)| (pool.find_var(name).expect("declared"), term(value));
            let updates: Substitution = action.updates.iter().map(update).collect();
            let after = pool.substitute(assertions[action.target as usize], &updates);
            follows(&[assertions[action.source as usize], term(&action.guard)], after)
        })
}

#[test]
fn kept_proofs_are_proofs() {
    let mut claims = Vec::new();
    for text in [chain(2), ring(2, 8), ring(3, 15), peterson("(set! turn 1)")] {
        for samples in [0, 48] {
            let engine = Modular { samples, ..Modular::default() };
            let Verdict::Safe(proof) = verified(&text, &engine, true).verdict else {
                // Without samples not everything is proven.
                assert_eq!(samples, 0, "{text}");
                continue;
            };
            let Environments { programs, hierarchies, .. } = environments(*proof);
            let hierarchy = hierarchies.join("; ");
            assert!(programs.iter().any(|program| hierarchy.starts_with(&program.thread)), "{hierarchy}");
            for mut program in programs {
                assert!(program.assertions.is_some(), "{text}");
                assert!(is_proof(&program), "{program:?}");
                claims.push(program.claim.clone());
                // A program that can do more needs another proof.
                let weakest = program.assertions.iter_mut().flatten();
                weakest.for_each(|assertion| {
                    if assertion != "false" {
                        *assertion = "true".into()
                    }
                });
                assert!(!is_proof(&program), "{program:?}");
            }
        }
    }
    assert!(claims.contains(&Claim::NoViolation));
    assert!(claims.iter().any(|claim| matches!(claim, Claim::OutOfReach { .. })));
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
    assert!(matches!(&silent, Verdict::Safe(_)), "{silent:?}");
}

/// The programs that stay are C that a compiler accepts.
#[test]
fn sequential_programs_stay_as_c() {
    let keep = directory("kept");
    let verdict = verified(&chain(1), &externally("true", Some(keep.clone())), true).verdict;
    assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
    let files: Vec<_> = std::fs::read_dir(&keep).expect("kept").map(|file| file.expect("a file").path()).collect();
    assert!(!files.is_empty());
    let proven = verified(&chain(2), &externally("true", Some(keep.clone())), true).verdict;
    assert!(matches!(proven, Verdict::Safe(_)), "{proven:?}");
    let proof = std::fs::read_dir(&keep).expect("kept").map(|file| file.expect("a file").path());
    let proof =
        proof.filter(|file| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("proof-01")));
    let proof: Vec<_> = proof.collect();
    assert_eq!(proof.len(), 1, "{proof:?}");
    let text = std::fs::read_to_string(&proof[0]).expect("kept");
    assert!(text.contains("/* false */\nL"), "{text}");
    let files = files.into_iter().chain(proof);
    let files: Vec<_> = files.collect();
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
