//! Debian's `boogie` reads the sequential programs that Braid prints, and gives the verdict that engine `delay` gives on the original: there is an
//! error within K delays, or there is none. Boogie looks into procedures (`{:inline}`) and unrolls loops, so for these programs it decides.
//! Braid reads the same text; its verdict may be `unknown`, but not the opposite.

use super::{LATE, braid, delays, file, in_time, sequential};
use std::process::Command;

/// Two threads add to one variable.
const LOST: &str = "
var total: int;
procedure ULTIMATE.start() modifies total; {
  total := 0;
  fork 1 add(3);
  fork 2 add(4);
  join 1;
  join 2;
  assert total == 7;
}
procedure add(n: int) modifies total; {
  var now: int;
  now := total;
  total := now + n;
}
";

/// The same, in one step.
fn kept() -> String {
    LOST.replace("now := total;", "atomic { now := total;").replace("now + n;", "now + n; }")
}

/// A handle goes through a shared variable, and a task waits for its own task.
const HANDLES: &str = "
(var box Int) (var shared Int)
(proc inner ((n Int)) ((r Int)) (set! shared (+ shared n)) (set! r shared))
(proc outer () ((r Int)) (declare (t Int) (declare (x Int) (async t inner 2) (wait (x) t) (set! r (+ x 1)))))
(set! shared 0)
(declare (t Int) (declare (u Int) (declare (x Int)
  (async t outer) (set! box t) (async u inner 5) (set! u box) (wait (x) u) (assert (not (= x 8))))))
";

/// Maps and bit-vectors as shared variables.
const CELLS: &str = "
type task a;
function {:bvbuiltin \"bvadd\"} plus(bv8, bv8) returns (bv8);
var cells: [int]bv8; var next: int;
procedure put(value: bv8) returns (place: int) modifies cells, next; {
  place := next;
  assume {:yield} true;
  cells[place] := plus(cells[place], value);
  next := place + 1;
}
procedure main() modifies cells, next; {
  var t: task int; var u: task int; var x: int; var y: int;
  next := 0; cells := cells[0 := 250bv8][1 := 250bv8];
  call {:async t} x := put(5bv8);
  call {:async u} y := put(7bv8);
  assume {:wait x, t} true;
  assume {:wait y, u} true;
  assert cells[x] != 6bv8;
}
";

/// A loop that starts tasks and waits for each.
const CHAIN: &str = "
type task a; var i: int;
procedure p() returns (r: int) { return; }
procedure main() modifies i; {
  var t: task int; var x: int;
  i := 0;
  while (i < 2) { call {:async t} x := p(); i := i + 1; assume {:wait x, t} true; }
  assert i < 2;
}
";

/// Programs by name, with the least number of delays (of 0 to 2) that shows an error under DFW and under DF.
fn programs() -> [(&'static str, String, Option<u32>, Option<u32>); 7] {
    [
        ("late.bpl", LATE.to_owned(), Some(1), Some(2)),
        ("in-time.bpl", in_time(), None, None),
        ("lost.bpl", LOST.to_owned(), Some(1), None),
        ("kept.bpl", kept(), None, None),
        ("handles.braid", HANDLES.to_owned(), Some(1), None),
        ("cells.bpl", CELLS.to_owned(), Some(1), None),
        ("chain.bpl", CHAIN.to_owned(), Some(0), Some(2)),
    ]
}

/// What `boogie` says of a file: are there errors? None if it is not installed.
fn has_errors(made: &str) -> Option<bool> {
    let output =
        Command::new("boogie").args(["/nologo", "/proc:main", "/loopUnroll:4", "/timeLimit:60", made]).output();
    let said = String::from_utf8_lossy(&output.ok()?.stdout).into_owned();
    match said.lines().rev().find_map(|line| line.strip_prefix("Boogie program verifier finished with ")) {
        Some("0 verified, 1 error") => Some(true),
        Some("1 verified, 0 errors") => Some(false),
        _ => panic!("{made} is not accepted, or not decided: {said}"),
    }
}

#[test]
fn boogie_agrees_where_it_is_installed() {
    let is_installed = Command::new("boogie").arg("/help").output().is_ok();
    for (name, text, dfw, df) in programs() {
        let program = file(name, &text);
        for (scheduler, least) in [("dfw", dfw), ("df", df)] {
            for number in 0..=2 {
                let fails = least.is_some_and(|least| least <= number);
                let number = number.to_string();
                let (verdict, _) = delays(&program, &["--scheduler", scheduler, "--delays", &number]);
                assert_eq!(verdict == "unsafe", fails, "{name} {scheduler} {number}: {verdict}");
                let made = file(
                    &format!("real-{name}-{scheduler}-{number}.bpl"),
                    &sequential(&program, scheduler, &number, "boogie"),
                );
                // Sixteen of them: each takes about a second.
                let is_told = if scheduler == "dfw" { number != "2" } else { fails };
                if is_installed && is_told {
                    assert_eq!(has_errors(&made), Some(fails), "{made}");
                }
            }
        }
    }
    if !is_installed {
        println!("SKIPPED: `boogie` is not installed, so nobody but Braid has read the sequential programs");
    }
}

/// What Braid itself says of the sequential programs: an error within the delays or none, never the opposite.
#[test]
fn braid_verifies_sequential_programs() {
    let (mut decided, mut all) = (0, 0);
    for (name, text, dfw, df) in programs() {
        let program = file(name, &text);
        for (scheduler, least) in [("dfw", dfw), ("df", df)] {
            for number in 0..=1 {
                let fails = least.is_some_and(|least| least <= number);
                let text = sequential(&program, scheduler, &number.to_string(), "boogie");
                let made = file(&format!("own-{name}-{scheduler}-{number}.bpl"), &text);
                let (said, errors, status) = braid(&["verify", &made, "--quiet", "--timeout", "5s"]);
                let expected = if fails { Some(10) } else { Some(0) };
                assert!(status == expected || status == Some(20), "{made}: {said}{errors}");
                decided += usize::from(status == expected);
                all += 1;
            }
        }
    }
    assert!(decided * 4 >= all * 3, "{decided} of {all} decided");
}
