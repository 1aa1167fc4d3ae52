//! What is a livelock, and what is none (`braid_program::livelock`): small programs as text, each with the verdict of `explicit`.

use braid_engines::explicit::Explicit;
use braid_engines::gem::Gem;
use braid_engines::{Control, Counterexample, Engine, Task, Verdict};
use braid_frontend::{Language, parse};
use braid_logic::TermPool;
use braid_program::cfa::{Accepted, Program};
use braid_program::livelock::{Circling, Ongoing};
use braid_program::{Interpreter, LowerOptions, lower};

/// Runs `use_it` on the automata of a program that claims progress.
fn with<T>(text: &str, fuse: bool, use_it: impl FnOnce(&Program<'_>) -> T) -> T {
    let text = format!("(claim progress) {text}");
    let program = parse("test", &text, Language::Braid).unwrap_or_else(|errors| panic!("{errors}"));
    let pool = TermPool::new();
    let options = LowerOptions { fuse, ..LowerOptions::default() };
    use_it(&lower(&program, &pool, options).expect("the program can be lowered"))
}

fn verdict(program: &Program<'_>) -> Verdict {
    Explicit::default().verify(&Task::new(program), &Control::new()).verdict
}

/// Who spins and who waits at the end, by name.
fn told(program: &Program<'_>, counterexample: &Counterexample) -> String {
    let replayed = counterexample.replayed();
    assert_eq!(replayed.violation, Accepted::Livelock);
    let last = replayed.states.last().expect("there is a last state");
    let Circling::Livelock(livelock) = Interpreter::new(program).circling(last) else { panic!("no livelock") };
    let member = |member: &braid_program::livelock::Member| {
        let name = &program.thread(member.thread).name;
        match member.ongoing {
            Ongoing::Spins(_) => format!("{name} spins"),
            Ongoing::Waits(_) => format!("{name} waits"),
        }
    };
    livelock.members.iter().map(member).collect::<Vec<_>>().join(", ")
}

/// Checks what is said of a program, simplified and not.
fn check(text: &str, expected: &str) {
    for fuse in [true, false] {
        let found = with(text, fuse, |program| match verdict(program) {
            Verdict::Safe(_) => "safe".to_owned(),
            Verdict::Unsafe(counterexample) => told(program, &counterexample),
            Verdict::Unknown(_) => "unknown".to_owned(),
        });
        assert_eq!(found, expected, "fuse {fuse}\n{text}");
    }
}

#[test]
fn what_ends_is_no_livelock() {
    check("(var x Int) (set! x 0) (while (< x 3) (set! x (+ x 1)))", "safe");
    check("(var f Bool) (set! f false) (par (while (not f) (seq)) (set! f true))", "safe");
}

#[test]
fn who_spins_for_what_nobody_does() {
    check("(while true (seq))", "main spins");
    check("(var f Bool) (set! f false) (while (not f) (seq))", "main spins");
    check("(var f Bool) (while (not f) (seq))", "main spins");
    check("(var f Bool) (set! f false) (par (while (not f) (seq)) (seq))", "main waits, t1 spins");
    let flags = "(var f g Bool) (set! f true) (set! g true)";
    check(&format!("{flags} (par (while g (seq)) (while f (seq)))"), "main waits, t1 spins, t2 spins");
    check(
        &format!("{flags} (par (seq (while g (seq)) (set! f false)) (seq (while f (seq)) (set! g false)))"),
        "main waits, t1 spins, t2 spins",
    );
}

#[test]
fn work_is_progress() {
    check("(var x Bool) (set! x false) (while true (set! x (not x)))", "safe");
    check("(var x Bool) (set! x false) (while true (seq (set! x true) (set! x false)))", "safe");
    check("(var x Bool) (set! x true) (while true (set! x true))", "main spins");
    check("(while true (par (seq) (seq)))", "safe");
    check(
        "(var x f Bool) (set! (x f) (false false)) (par (while true (set! x (not x))) (while (not f) (seq)))",
        "safe",
    );
}

#[test]
fn local_variables_may_change() {
    check("(proc p () () (declare (i Bool) (set! i false) (while true (set! i (not i))))) (call () p)", "main spins");
    check("(proc p () () (declare (i Int) (set! i 0) (while (< i 9) (set! i (+ i 1))))) (call () p)", "safe");
}

#[test]
fn values_are_chosen_in_all_ways() {
    // Some choice leads out, or none does.
    check("(var f Bool) (set! f false) (while (not f) (havoc! f))", "safe");
    let loops = |test: &str| {
        format!(
            "(proc p () () (declare (b Bool) (set! b false) (while {test} (havoc! b)))) (var f Bool) (set! f true) (call () p)"
        )
    };
    check(&loops("(not b)"), "safe");
    check(&loops("(or b f)"), "main spins");
}

#[test]
fn who_waits_beside_one_that_spins() {
    check("(var f Bool) (set! f false) (par (await f) (while true (seq)))", "main waits, t1 waits, t2 spins");
    // All of them wait: that is a deadlock.
    check("(var f Bool) (set! f false) (par (await f) (await f))", "safe");
    // There is no execution where an assumption does not hold.
    check("(var f Bool) (set! f false) (par (assume f) (while true (seq)))", "safe");
    check("(var f Bool) (set! f false) (par (await f) (seq (while (not f) (set! f true))))", "safe");
}

#[test]
fn other_engines_do_not_look_for_livelocks() {
    with("(while true (seq))", true, |program| {
        let verdict = Gem::default().verify(&Task::new(program), &Control::new()).verdict;
        let Verdict::Unknown(reason) = verdict else { panic!("gem says something") };
        assert_eq!(reason.to_string(), "gem does not look for livelocks");
    });
}
