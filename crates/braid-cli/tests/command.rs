//! The real binary: verdicts, exit statuses, streams, bad input, time limits, JSON and replay.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn braid(arguments: &[&str]) -> Output {
    braid_in(Path::new("."), arguments)
}

fn braid_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().expect("the binary runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// A file in this test's own folder.
fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("command");
    fs::create_dir_all(&folder).expect("a folder for files");
    let path = folder.join(name);
    fs::write(&path, content).expect("a file can be written");
    path.to_str().expect("a plain name").to_owned()
}

fn last_line(output: &Output) -> String {
    stdout(output).lines().last().unwrap_or_default().to_owned()
}

/// Checks the exit status and the last line of standard output.
fn check(arguments: &[&str], status: i32, verdict: &str) -> Output {
    let output = braid(arguments);
    let shown = format!("{arguments:?}\n{}\n{}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(status), "{shown}");
    assert_eq!(last_line(&output), verdict, "{shown}");
    assert!(!stdout(&output).contains('\x1b') && !stderr(&output).contains('\x1b'), "control codes: {shown}");
    output
}

const LOST_UPDATE: &str = "\
(var counter Int)
(proc add () () (declare (seen Int) (set! seen counter) (set! counter (+ seen 1))))
(set! counter 0)
(fork 1 add)
(fork 2 add)
(join () 1)
(join () 2)
(assert (= counter 2))
";

/// No square leaves 3 when it is divided by 7: true, and far beyond the invariants that engines look for.
const SQUARES: &str = "(var x y z Int) (set! (x y) (0 1)) (loop (set! (x y) ((+ x y) (+ y 2))))
    (assert (not (= x (+ 3 (* 7 z)))))";

const ENDLESS: &str = "(var x y Int) (set! (x y) (0 0)) (par (loop (set! x (+ x 1))) (loop (set! y (+ y 1))))";

#[test]
fn verdicts_and_statuses() {
    let safe = file("safe.braid", "(var x Int) (set! x 1) (assert (= x 1))");
    check(&["verify", &safe], 0, "verdict: safe");
    check(&["verify", &safe, "--engine", "explicit", "--property", "unreach-call"], 0, "verdict: safe");
    let lost = file("lost.braid", LOST_UPDATE);
    for more in [[].as_slice(), &["--no-fuse"]] {
        check(&[&["verify", &lost], more].concat(), 10, "verdict: unsafe");
    }
    let open = file("open.braid", "(var x y Int) (par (set! y x) (set! y x)) (assert (= x y))");
    let reason = "the input `x` has infinitely many values; bound it with --inputs LO..HI";
    check(&["verify", &open], 0, "verdict: safe");
    let explicit = ["verify", &open, "--engine", "explicit"];
    check(&explicit, 20, &format!("verdict: unknown ({reason})"));
    check(&[&explicit[..], &["--inputs", "-1..3"]].concat(), 20, "verdict: unknown (no violation for inputs in -1..3)");
    let endless = file("endless.braid", ENDLESS);
    check(&["verify", &endless], 0, "verdict: safe");
    let few = ["verify", &endless, "--engine", "explicit", "--states", "100"];
    check(&few, 20, "verdict: unknown (more than 100 states; raise --states)");
    check(&["verify", &endless, "--engine", "gem", "--order", "seq:main"], 0, "verdict: safe");
}

/// Two copies of a loop that doubles.
const COPIES: &str = "(var x y n Int) (assume (and (= x y) (> x 0)))
    (par (while (< x n) (set! x (+ x x))) (while (< y n) (set! y (+ y y)))) (assume (not (= x y)))";

#[test]
fn weave_has_options_of_its_own() {
    let (same, other) = (file("copies.wvr", COPIES), file("others.wvr", COPIES.replace("(= x y) (>", "(= y 3) (>")));
    let one = ["--choice", "partition", "--counterexamples", "l:2,rr", "--patience", "5", "--no-fuse"];
    for more in [[].as_slice(), &one, &["--fixpoint", "plain", "--seed-invariants", "off"]] {
        check(&[&["verify", &same, "--engine", "weave"], more].concat(), 0, "verdict: safe");
        check(&[&["verify", &other, "--engine", "weave"], more].concat(), 10, "verdict: unsafe");
    }
    assert_eq!(braid(&["explain", &same, "--engine", "weave"]).status.code(), Some(0));
    let wrong = braid(&["verify", &same, "--engine", "weave", "--counterexamples", "best"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("known are naive, progress, rr, l:N and m:N"));
}

#[test]
fn quiet_prints_the_verdict_only() {
    let lost = file("quiet.braid", LOST_UPDATE);
    assert_eq!(stdout(&braid(&["verify", &lost, "--quiet"])), "verdict: unsafe\n");
}

#[test]
fn a_counterexample_is_a_table() {
    let lost = PathBuf::from(file("table.braid", LOST_UPDATE));
    let folder = lost.parent().expect("a file is in a folder");
    let text = stdout(&braid_in(folder, &["verify", "table.braid", "--engine", "explicit", "--no-fuse"]));
    expect_test::expect_file!["expected/table.txt"].assert_eq(&text);
    assert!(text.lines().all(|line| line.chars().count() <= 100 && !line.ends_with(' ')), "{text}");
}

#[test]
fn a_long_counterexample_is_cut_and_shows_changed_cells() {
    let text = "(var i Int) (var a (Array Int Int)) (set! i 0)\n(while (< i 300) (set! a (store a i 7)) (set! i (+ i 1)))\n(assert (= i 0))";
    let long = file("long.braid", text);
    let options = ["verify", &long, "--engine", "explicit", "--no-fuse"];
    let shown = stdout(&braid(&[options.as_slice(), &["--trace", "full"]].concat()));
    // A step for the first assignment, three for each time round the loop, its end, and the assertion.
    assert!(shown.contains("… 703 more steps, all of them in the file of --json …"), "{shown}");
    assert!(shown.contains("a[5] = 7") && !shown.contains("a[150] = 7") && shown.contains("a[299] = 7"), "{shown}");
    assert!(!shown.contains("store ("), "{shown}");
    // The array does not matter.
    let short = stdout(&braid(&options));
    assert!(short.contains("… 403 more steps") && short.contains("300 of 903 steps are not shown"), "{short}");
    assert!(!short.contains("a[") && !short.contains("initially"), "{short}");
}

#[test]
fn a_proof_is_explained() {
    let text = "(var x y n Int) (assume (and (= x 0) (= y 0)))\n(par\n  (while (< x n) (set! x (+ x 1)))\n  (while (< y n) (set! y (+ y 1))))\n(assume (not (= x y)))";
    let path = PathBuf::from(file("explained.wvr", text));
    let folder = path.parent().expect("a file is in a folder");
    let options = ["explain", "explained.wvr", "--engine", "gem", "--order", "loop-lockstep", "--timeout", "20s"];
    expect_test::expect_file!["expected/explained.txt"].assert_eq(&stdout(&braid_in(folder, &options)));
    let lost = file("unexplained.braid", LOST_UPDATE);
    let [explained, verified] =
        ["explain", "verify"].map(|command| stdout(&braid(&[command, &lost, "--engine", "explicit"])));
    assert_eq!(explained, verified);
}

#[test]
fn a_proof_for_any_number_of_threads_is_explained() {
    let text = "(var m Bool) (var x Int)
(proc worker () ()
    (atomic (assume (not m)) (set! m true))
    (loop (set! x (+ x 1)) (assert (= x 1)) (set! x (- x 1)))
    (set! m false))
(set! m false) (set! x 0)
(loop (async _ worker))
";
    let output = stdout(&braid(&["explain", &file("many.braid", text), "--timeout", "30s"]));
    assert!(output.contains("exclude all errors, for any number of threads.\n"), "{output}");
    assert!(output.contains("Steps between which no other thread can look count as one.\n"), "{output}");
    assert!(output.contains("\n   │     ▸ worker: x = 0\n 5 │     (set! m false))\n"), "{output}");
    assert!(output.ends_with("verdict: safe\n"), "{output}");
}

#[test]
fn a_bug_is_found_though_a_bound_is_reached() {
    let text = "(var x Int) (proc more () () (set! x (+ x 1)))\n(set! x 0)\n(loop (fork 1 more))\n(assert (< x 2))";
    check(&["verify", &file("bound.braid", text), "--engine", "gem"], 10, "verdict: unsafe");
    let safe = file("bounded.braid", text.replace("(< x 2)", "(>= x 0)"));
    let output = braid(&["verify", &safe, "--engine", "gem"]);
    assert_eq!(last_line(&output), "verdict: unknown (thread main needs more instances; raise --instances)");
    // Where there is time, bounds that the user has not set grow.
    let late = file("late.braid", text.replace("(< x 2)", "(< x 5)"));
    check(&["verify", &late, "--engine", "gem", "--timeout", "30s"], 10, "verdict: unsafe");
    let output = braid(&["verify", &late, "--engine", "gem", "--timeout", "30s", "--instances", "3"]);
    assert_eq!(last_line(&output), "verdict: unknown (thread main needs more instances; raise --instances)");
    let document = file("late.json", "");
    check(&["verify", &late, "--timeout", "30s", "--json", &document], 10, "verdict: unsafe");
    check(&["replay", &late, &document], 10, "verdict: unsafe");
}

/// The interpreter cannot compute quantifiers: what depends on one is never called unsafe, and nothing is wrong with Braid.
#[test]
fn a_violation_behind_a_quantifier_is_unknown() {
    let text = "var a: [int]int;\nprocedure main() modifies a; {\n  a[0] := 1;\n  assume (forall i: int :: i > 0 ==> a[i] >= 0);\n  assert a[5] > 0;\n}\n";
    let output = braid(&["verify", &file("quantified.bpl", text), "--timeout", "20s"]);
    let expected =
        "verdict: unknown (a violation was found that cannot be replayed: it depends on a quantifier in step 1)";
    assert_eq!(last_line(&output), expected);
    assert!(!stdout(&output).contains("fault of Braid"));
}

/// Checks that an input is rejected in time, with these words on standard error.
fn check_rejected(path: &str, words: &[&str]) {
    let start = Instant::now();
    let output = braid(&["verify", path]);
    let shown = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{path}: {shown}");
    assert!(start.elapsed() < Duration::from_secs(2), "{path}: {:?}", start.elapsed());
    for word in words {
        assert!(shown.contains(word), "{path}: no `{word}` in\n{shown}");
    }
    assert!(!shown.contains("panicked") && stdout(&output).is_empty(), "{path}: {shown}");
}

#[test]
fn bad_input_is_rejected_with_a_place() {
    check_rejected("no-such-file.wvr", &["no-such-file.wvr: there is no such file"]);
    check_rejected(env!("CARGO_TARGET_TMPDIR"), &["this is a directory"]);
    check_rejected(&file("binary.wvr", [0u8, 159, 146, 150, 255]), &["binary.wvr: not a text file"]);
    check_rejected(&file("empty.wvr", ""), &["empty.wvr:1:1: error: "]);
    check_rejected(&file("parens.wvr", "(var x Int)\n(set! x (+ x 1)"), &["parens.wvr:2:", "(set! x", "^"]);
    check_rejected(&file("close.wvr", "(seq))"), &["close.wvr:1:6: error: ", "^"]);
    check_rejected(&file("unknown.wvr", "(set! x 1)"), &["unknown.wvr:1:7: error: ", "`x`", "^"]);
    check_rejected(&file("type.wvr", "(var x Int)\n(assume x)"), &["type.wvr:2:9: error: ", "Bool", "^"]);
    check_rejected(&file("slash.wvr", "(var x y Int)\n(set! x (/ x y))"), &["slash.wvr:2:", "`/`", "^"]);
    let deep = format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000));
    check_rejected(&file("deep.wvr", &deep), &["deep.wvr:1:", "error: "]);
    let nested = format!("(var x Bool) (assume {}x{})", "(not ".repeat(100_000), ")".repeat(100_000));
    check_rejected(&file("nested.wvr", &nested), &["nested.wvr:1:", "error: "]);
    check_rejected(&file("program.rs", "fn main() {}"), &["program.rs", "`.wvr`"]);
    check_rejected(&file("loop.braid", "(atomic (call () f))\n(proc f () () (seq))"), &["loop.braid:", "error: "]);
}

/// Two threads that nobody understands, and an atomic block that the question about deadlocks rejects.
const ONE_QUESTION_FAILS: &str = "\
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int a, b, c, d, e;
void *work(void *p) {
  for (;;) {
    a++;
    b += a * c;
    c += b * a;
    d += c * b;
    if (e < a) e = d * a - b;
    if (a * b + c == e * d + 7 && a > 1000000) reach_error();
  }
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, work, 0);
  pthread_create(&t, 0, work, 0);
  __VERIFIER_atomic_begin();
  while (__VERIFIER_nondet_int()) pthread_mutex_lock(&m);
  __VERIFIER_atomic_end();
  return 0;
}
";

#[test]
fn one_question_that_fails_ends_all() {
    let path = file("one_question_fails.c", ONE_QUESTION_FAILS);
    let start = Instant::now();
    let output = braid(&["verify", &path, "--timeout", "60s"]);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    assert!(stderr(&output).contains("deadlocks are not found"), "{}", stderr(&output));
    assert!(start.elapsed() < Duration::from_secs(20), "it took {:?}", start.elapsed());
}

#[test]
fn properties() {
    let safe = file("property.braid", "(assert true)");
    let reach = file("reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    check(&["verify", &safe, "--property", &reach], 0, "verdict: safe");
    let race = file("race.prp", "CHECK( init(main()), LTL(G ! data-race) )\n");
    let output = check(&["verify", &safe, "--property", &race], 3, "");
    assert!(stderr(&output).contains("this property is one of C programs"), "{}", stderr(&output));
    check(&["verify", &safe, "--property", "no-overflow"], 3, "");
    check(&["verify", &safe, "--property", "missing.prp"], 3, "");
    check(&["verify", &safe, "--property", "nonsense"], 2, "");
}

#[test]
fn wrong_usage() {
    let safe = file("usage.braid", "(assert true)");
    for wrong in [
        &["verify"][..],
        &["frobnicate"],
        &[],
        &["verify", &safe, "--timeout", "soon"],
        &["verify", &safe, "--timeout", "0"],
        &["verify", &safe, "--memory", "-4GiB"],
        &["verify", &safe, "--memory", "4 parsecs"],
        &["verify", &safe, "--inputs", "3..1"],
        &["verify", &safe, "--inputs", "few"],
        &["verify", &safe, "--states", "0"],
        &["verify", &safe, "--engine", "warp"],
        &["verify", &safe, "--json", "/no/such/folder/result.json"],
        &["verify", &safe, "--frobnicate"],
        &["print", &safe, "--as", "painting"],
    ] {
        let output = check(wrong, 2, "");
        assert!(!stderr(&output).is_empty(), "{wrong:?}");
    }
    assert_eq!(braid(&["--help"]).status.code(), Some(0));
    assert_eq!(braid(&["verify", "--help"]).status.code(), Some(0));
}

#[test]
fn a_timeout_ends_in_time() {
    let endless = file("timeout.braid", ENDLESS);
    let json = file("timeout.json", "");
    let squares = file("squares.braid", SQUARES);
    for (program, engine) in [(&endless, "explicit"), (&squares, "auto"), (&squares, "gem")] {
        let start = Instant::now();
        let arguments = ["verify", program, "--engine", engine, "--timeout", "1s", "--json", &json];
        check(&arguments, 20, "verdict: unknown (timeout)");
        assert!(start.elapsed() < Duration::from_millis(2500), "{engine}: {:?}", start.elapsed());
        let document = read_json(&json);
        assert_eq!(document["reason"], "timeout");
        // The others count the states of a round, which may have just begun.
        let states = document["states"].as_u64().expect("a number");
        assert!(states > 100 || engine != "explicit", "{engine}: {states} states");
    }
}

#[test]
fn memory_is_limited() {
    let endless = file("memory.braid", ENDLESS);
    let arguments = ["verify", &endless, "--engine", "explicit", "--memory", "60MB", "--timeout", "60"];
    check(&arguments, 20, "verdict: unknown (out of memory)");
}

/// Reading and lowering look at the memory, too.
#[test]
fn memory_is_limited_from_the_start() {
    let lines: Vec<String> =
        (0..60_000).map(|n| format!("if (a[0] == {n}) x += a[0] * {n}; else x -= a[0];")).collect();
    let large = file("large.c", format!("int a[1];\nint main(void) {{ int x = 0;\n{}\nreturn x; }}", lines.join("\n")));
    check(&["verify", &large, "--memory", "60MB", "--timeout", "60"], 20, "verdict: unknown (out of memory)");
}

#[test]
fn a_full_disk_is_no_internal_error() {
    let lost = file("full.braid", LOST_UPDATE);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has a full device");
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    let output = command.args(["verify", &lost]).stdout(full).stderr(Stdio::piped()).output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(74));
    assert!(stderr(&output).starts_with("standard output cannot be written: "), "{}", stderr(&output));
}

/// Fermat's last theorem keeps Z3 busy, which takes signal handlers away while it works.
const FERMAT: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);
    int main(void) {
        long a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
        if (a > 1 && b > 1 && c > 1 && a * a * a + b * b * b == c * c * c) reach_error();
    }";

#[test]
fn signals_end_it_with_an_answer() {
    let endless = file("signal.braid", ENDLESS);
    let fermat = file("signal.c", FERMAT);
    let states = ["--engine", "explicit", "--memory", "100GiB", "--states", "1000000000"];
    let solver = ["--engine", "gem", "--data-model", "LP64", "--property", "unreach-call"];
    for (signal, file, options) in [
        ("INT", &endless, &states[..]),
        ("TERM", &endless, &states),
        ("INT", &fermat, &solver),
        ("TERM", &fermat, &solver),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
        let child = command.args(["verify", file]).args(options);
        let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        std::thread::sleep(Duration::from_millis(700));
        let sent = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
        assert!(sent.expect("there is a kill command").success());
        let start = Instant::now();
        let output = child.wait_with_output().expect("it ends");
        assert!(start.elapsed() < Duration::from_millis(1500), "{signal}: {:?}", start.elapsed());
        assert_eq!(output.status.code(), Some(20), "{signal}: {}", stderr(&output));
        assert_eq!(last_line(&output), "verdict: unknown (interrupted)", "{signal}");
    }
}

fn read_json(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("it was written")).expect("it is JSON")
}

#[test]
fn the_json_result_is_complete() {
    let lost = file("json.braid", LOST_UPDATE);
    let output = check(&["verify", &lost, "--engine", "explicit", "--json", "-"], 10, "verdict: unsafe");
    let text = stdout(&output);
    let document: Value = serde_json::from_str(text.lines().next().expect("a first line")).expect("it is JSON");
    for field in [
        "schema",
        "verdict",
        "reason",
        "engine",
        "order",
        "property",
        "file",
        "rounds",
        "proof_size",
        "states",
        "transitions",
        "depth",
        "threads",
        "size",
        "memory_mb",
        "counterexample",
    ] {
        assert!(document.get(field).is_some(), "no {field} in {document}");
    }
    for (group, fields) in [
        ("smt", &["queries", "seconds"][..]),
        ("time", &["total", "frontend", "check", "refine"]),
        ("lowering", &["fuse", "instances", "recursion"]),
        ("counterexample", &["violation", "initial", "steps"]),
    ] {
        fields.iter().for_each(|field| assert!(document[group].get(field).is_some(), "no {group}.{field}"));
    }
    assert_eq!(document["threads"], 3);
    let size = |when: &str, what: &str| document["size"][when][what].as_u64().expect("a number");
    assert!(size("after", "locations") < size("before", "locations"), "{document}");
    assert!(0 < size("after", "actions") && size("after", "actions") < size("before", "actions"), "{document}");
    let sizes = ["locations", "actions"].map(|what| (size("after", what), size("before", what)));
    let [(locations, before), (actions, actions_before)] = sizes;
    let sentence = format!(
        "3 threads with {locations} locations and {actions} actions, {before} and {actions_before} before fusing."
    );
    let shown = stdout(&braid(&["verify", &lost, "--engine", "explicit", "--trace", "full"]));
    assert!(shown.lines().any(|line| line == sentence), "no `{sentence}` in\n{shown}");
    let steps = document["counterexample"]["steps"].as_array().expect("a list");
    assert!(steps.len() > 5);
    for field in ["thread", "action", "file", "line", "column", "text", "choices", "changed"] {
        assert!(steps.iter().all(|step| step.get(field).is_some()), "no {field}");
    }
    let safe = file("json-safe.braid", "(assert true)");
    let result = file("json-safe.json", "");
    check(&["verify", &safe, "--json", &result], 0, "verdict: safe");
    assert_eq!(read_json(&result)["counterexample"], Value::Null);
}

#[test]
fn results_replay() {
    let inputs = "\
(var x y Int) (var b Bool) (var f (Int) Int) (var a (Array Int Int)) (var v (_ BitVec 4)) (var big Int)
(assume (and (= big 123456789012345678901234567890) (= v (_ bv9 4)) (= (select a 3) (- 7)) (= (f 2) 5)))
(atomic (havoc! x) (assume (= x (* 2 big))))
(havoc! b)
(set! y (f 2))
(assert (and b (= y (- big x))))
";
    for (name, text) in [("lost", LOST_UPDATE), ("inputs", inputs)] {
        let program = file(&format!("replay-{name}.braid"), text);
        let result = file(&format!("replay-{name}.json"), "");
        for more in [[].as_slice(), &["--no-fuse"]] {
            check(&[&["verify", &program, "--json", &result], more].concat(), 10, "verdict: unsafe");
            let output = check(&["replay", &program, &result], 10, "verdict: unsafe");
            assert!(stdout(&output).contains("error: assertion violated"), "{}", stdout(&output));
        }
    }
}

#[test]
fn a_data_race_is_told_with_both_places() {
    let program = file(
        "both-places.c",
        "typedef unsigned long pthread_t;\nint x;\nvoid *f(void *a) {\n  x = 1;\n  return 0;\n}\n\
         int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  x = 2;\n  return 0;\n}\n",
    );
    let output = check(&["verify", &program, "--property", "no-data-race"], 10, "verdict: unsafe");
    let text = stdout(&output);
    for place in [
        "error: data race",
        "both-places.c:4:3",
        "^ thread f writes",
        "both-places.c:10:3",
        "- while thread main writes",
    ] {
        assert!(text.contains(place), "{place} is missing: {text}");
    }
}

#[test]
fn what_does_not_replay_says_why() {
    let lost = file("changed.braid", LOST_UPDATE);
    let result = file("changed.json", "");
    check(&["verify", &lost, "--json", &result], 10, "verdict: unsafe");
    let fixed = file("fixed.braid", LOST_UPDATE.replace("(= counter 2)", "(>= counter 1)"));
    let output = braid(&["replay", &fixed, &result]);
    assert_eq!(output.status.code(), Some(20), "{}", stderr(&output));
    assert!(last_line(&output).starts_with("verdict: unknown (the execution does not replay: "), "{output:?}");

    check(&["replay", &lost, "no-such-file.json"], 3, "");
    check(&["replay", &lost, &file("not.json", "hello")], 3, "");
    check(&["replay", &lost, &file("other.json", "{\"schema\": 1}")], 3, "");
    let safe = file("replay-safe.braid", "(assert true)");
    check(&["verify", &safe, "--json", &result], 0, "verdict: safe");
    check(&["replay", &safe, &result], 3, "");
}

#[test]
fn programs_are_printed() {
    let lost = file("print.braid", LOST_UPDATE);
    let text = stdout(&check_success(&["print", &lost]));
    let again = file("printed.braid", &text);
    assert_eq!(stdout(&check_success(&["print", &again])), text);
    assert!(stdout(&check_success(&["print", &lost, "--as", "dot"])).starts_with("digraph program {"));
    let automata = stdout(&check_success(&["print", &lost, "--as", "automata"]));
    assert!(automata.contains("thread add.2 (forked by main)") && automata.contains("(error)"), "{automata}");
}

fn check_success(arguments: &[&str]) -> Output {
    let output = braid(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    output
}

#[test]
fn a_reader_may_go_away() {
    let lost = file("pipe.braid", LOST_UPDATE.replace("(fork 1 add)", &"(fork 1 add)\n".repeat(60)));
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    let mut child = command
        .args(["print", &lost, "--as", "automata", "--no-fuse"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
}

/// No example may be answered against its header.
#[test]
fn examples_are_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("there are examples") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() || path.extension().is_some_and(|found| found == "md") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("it is text");
        let expected =
            text.lines().find_map(|line| line.trim_start_matches([';', '/', ' ']).strip_prefix("expected: "));
        let expected = expected.unwrap_or_else(|| panic!("{} has no `expected:`", path.display())).trim().to_owned();
        for more in [[].as_slice(), &["--inputs", "0..1"]] {
            let name = path.to_str().expect("a plain name");
            let output = braid(&[&["verify", name, "--quiet", "--timeout", "5s"], more].concat());
            let verdict = last_line(&output);
            let fits = verdict == format!("verdict: {expected}") || verdict.starts_with("verdict: unknown (");
            assert!(fits, "{name}: {verdict}, expected {expected}\n{}", stderr(&output));
        }
        count += 1;
    }
    assert!(count > 5, "only {count} examples");
}
