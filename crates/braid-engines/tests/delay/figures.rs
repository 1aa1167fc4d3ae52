//! What paper 3 says of its examples: how many delays a bug needs under each scheduler, by the engine and by the sequential programs.

use braid_engines::delay::{Delay, Exploration, Halt, Limits, PreemptionPoints, Scheduler};
use braid_engines::gem::Gem;
use braid_engines::strategy::Deepening;
use braid_engines::{Control, Engine, Outcome, Structured, Task, Verdict};
use braid_frontend::{Language, parse};
use braid_logic::{Solver, SolverOptions, TermPool};
use braid_program::{LowerOptions, ast, lower};
use braid_transform::delay::sequentialize;
use std::time::{Duration, Instant};

fn boogie(text: &str) -> ast::Program {
    parse("test.bpl", text, Language::Boogie).unwrap_or_else(|errors| panic!("{errors}"))
}

fn verify(program: &ast::Program, engine: &dyn Engine) -> Outcome {
    let (pool, lowering) = (TermPool::new(), LowerOptions::default());
    let automata = lower(program, &pool, lowering).expect("lowers");
    let control = Control::new().until(Some(Instant::now() + Duration::from_secs(30)));
    let structured = Some(Structured { program, lowering });
    engine.verify(&Task { structured, ..Task::new(&automata) }, &control)
}

/// The number of delays with which the engine finds a bug; none if it does not.
fn delays(program: &ast::Program, scheduler: Scheduler, most: u32) -> Option<u32> {
    let outcome = verify(program, &Deepening(Delay { scheduler, delays: 0..=most, ..Delay::default() }));
    match outcome.verdict {
        Verdict::Unsafe(_) => outcome.statistics.delays,
        Verdict::Unknown(reason) => {
            assert!(reason.to_string().starts_with(&format!("no violation within {most} delay")), "{reason}");
            None
        }
        Verdict::Safe(_) => None,
    }
}

/// Does the sequential program violate its assertion?
fn sequential_fails(program: &ast::Program, scheduler: Scheduler, delays: u32) -> bool {
    let sequential = sequentialize(program, scheduler, delays).unwrap_or_else(|errors| panic!("{errors}"));
    let pool = TermPool::new();
    let program = lower(&sequential.program, &pool, LowerOptions::default()).expect("lowers");
    assert_eq!(program.threads.len(), 1, "it is sequential");
    let points = PreemptionPoints::of(&program);
    let mut solver = Solver::new(&pool, SolverOptions::default()).expect("a solver");
    let control = Control::new();
    let limits = Limits { delays: 0, branches: 64, steps: 1_000_000 };
    let mut search = Exploration::new(&program, &points, &mut solver, &control, limits);
    let ended = search.run(Scheduler::Dfw, |_| {});
    assert!(!search.left_out.steps && !search.left_out.undecided);
    matches!(ended, Err(Halt::Violation(_)))
}

/// The engine and the sequential programs need the same number of delays.
fn check(text: &str, scheduler: Scheduler, expected: Option<u32>, most: u32) {
    let program = boogie(text);
    assert_eq!(delays(&program, scheduler, most), expected, "{scheduler}");
    for number in 0..=expected.unwrap_or(most) {
        assert_eq!(
            sequential_fails(&program, scheduler, number),
            Some(number) == expected,
            "{scheduler}, K = {number}"
        );
    }
}

/// Figure 4: a task at a time, as often as one likes. `i` can be `n` under DFW without a delay, under DF only with `n` of them.
fn figure_4(unwanted: u32) -> String {
    format!(
        "type task a; var i: int;
        procedure p() returns (r: int) {{ r := i; }}
        procedure main() modifies i; {{
          var x: task int; var y: int; var go: bool;
          i := 0;
          havoc go;
          while (go) {{
            call {{:async x}} y := p();
            assume {{:yield}} true;
            assume {{:wait y, x}} true;
            i := i + 1;
            havoc go;
          }}
          assert i != {unwanted};
        }}"
    )
}

#[test]
fn figure_4_needs_no_delays_under_dfw() {
    for n in [0, 1, 3, 10] {
        assert_eq!(delays(&boogie(&figure_4(n)), Scheduler::Dfw, 0), Some(0), "i = {n}");
    }
    for n in 0..=3 {
        assert_eq!(delays(&boogie(&figure_4(n)), Scheduler::Df, 4), Some(n), "i = {n}");
    }
    assert_eq!(delays(&boogie(&figure_4(4)), Scheduler::Df, 3), None);
}

/// A chain of tasks, each waited for before the next one starts, and then an assertion.
fn chain(length: u32, claim: &str) -> String {
    format!(
        "type task a; var i: int;
        procedure p() returns (r: int) {{ return; }}
        procedure main() modifies i; {{
          var t: task int; var x: int;
          i := 0;
          while (i < {length}) {{
            call {{:async t}} x := p();
            i := i + 1;
            assume {{:yield}} true;
            assume {{:wait x, t}} true;
          }}
          assert {claim};
        }}"
    )
}

#[test]
fn chains_need_no_delay_under_dfw_and_one_for_each_link_under_df() {
    for length in 1..=6 {
        let program = boogie(&chain(length, "false"));
        assert_eq!(delays(&program, Scheduler::Dfw, 0), Some(0), "{length} links");
        assert_eq!(delays(&program, Scheduler::Df, 7), Some(length), "{length} links");
    }
    assert_eq!(delays(&boogie(&chain(60, "false")), Scheduler::Dfw, 0), Some(0));
    let safe = boogie(&chain(3, "i == 3"));
    assert_eq!(delays(&safe, Scheduler::Dfw, 2), None);
    assert_eq!(delays(&safe, Scheduler::Df, 4), None);
    // With delays the counter of the loop is guessed, and a path exploration of the sequential program does not end.
    check(&chain(2, "false"), Scheduler::Dfw, Some(0), 0);
    assert!(!sequential_fails(&boogie(&chain(1, "false")), Scheduler::Df, 0));
}

/// A page that is shown before its picture is loaded, because the loading is not waited for.
const PICTURE: &str = "
    type task a; var loaded: bool; var shown: [int] bool;
    procedure fetch() returns (r: int) { r := 1; }
    procedure load() modifies loaded; {
      var t: task int; var x: int;
      assume {:yield} true;
      call {:async t} x := fetch();
      assume {:yield} true;
      assume {:wait x, t} true;
      assume {:yield} true;
      loaded := x == 1;
    }
    procedure sound() { }
    procedure main() modifies loaded, shown; {
      var t: task int;
      loaded := false;
      call {:async} load();
      call {:async t} sound();
      assume {:yield} true;
      assume {:wait t} true;
      shown[0] := loaded;
      assert shown[0];
    }";

#[test]
fn what_is_not_waited_for_needs_one_delay_under_dfw() {
    check(PICTURE, Scheduler::Dfw, Some(1), 2);
    check(PICTURE, Scheduler::Df, Some(2), 3);
    let waiting = PICTURE
        .replace("call {:async} load();", "call {:async u} load();")
        .replace("var t: task int;\n      loaded", "var t: task int; var u: task int;\n      loaded")
        .replace("shown[0] :=", "assume {:wait u} true; shown[0] :=");
    check(&waiting, Scheduler::Dfw, None, 1);
    let proven =
        verify(&sequentialize(&boogie(&waiting), Scheduler::Dfw, 1).expect("a program").program, &Gem::default());
    assert!(matches!(proven.verdict, Verdict::Safe(_)), "{:?}", proven.verdict);
}

/// Threads that switch anywhere: an update is lost.
fn lost_update(body: &str) -> String {
    format!(
        "(var c Int) (var done (Int) Bool)
        (proc add () () (declare (own Int) {body}))
        (proc main () ()
          (set! c 0)
          (fork 1 add) (fork 2 add)
          (join () 1) (join () 2)
          (assert (= c 2)))"
    )
}

#[test]
fn threads_that_switch_anywhere() {
    let racy = lost_update("(set! own c) (set! c (+ own 1))");
    let program = parse("test.braid", &racy, Language::Braid).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(delays(&program, Scheduler::Dfw, 3), Some(1));
    assert!(!sequential_fails(&program, Scheduler::Dfw, 0) && sequential_fails(&program, Scheduler::Dfw, 1));
    let atomic = lost_update("(atomic (set! own c) (set! c (+ own 1)))");
    let program = parse("test.braid", &atomic, Language::Braid).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(delays(&program, Scheduler::Dfw, 3), None);
    assert!(!sequential_fails(&program, Scheduler::Dfw, 2));
}
