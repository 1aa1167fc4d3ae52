//! Engine `parametric` on the command line: its facts as JSON, and its Horn clauses for other solvers.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Any number of threads that take a lock, and what they find there.
fn counter(check: &str) -> String {
    format!(
        "(var m Bool) (var x Int)
        (proc t () () (declare (l Int)
            (atomic (assume (not m)) (set! m true))
            (set! l x) (set! x (+ l 1)) (assert {check}) (set! x (- x 1))
            (set! m false)))
        (set! m false) (set! x 0) (loop (async _ t))"
    )
}

/// A file in this test's own folder.
fn file(name: &str, content: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("parametric");
    fs::create_dir_all(&folder).expect("a folder for files");
    let path = folder.join(name);
    fs::write(&path, content).expect("a file can be written");
    path
}

fn verify(program: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_braid")).arg("verify").arg(program).args(more).output().expect("the binary runs")
}

#[test]
fn facts_are_in_json() {
    let output =
        verify(&file("facts.braid", &counter("(= x 1)")), &["--engine", "parametric", "--no-fuse", "--json", "-"]);
    let text = String::from_utf8(output.stdout).expect("text");
    let document: Value = serde_json::from_str(text.lines().next().unwrap_or_default()).expect("a document");
    assert_eq!(document["verdict"], "safe", "{text}");
    let facts = &document["facts"];
    assert_eq!(facts["any_number_of"].as_array().map(Vec::len), Some(1), "{facts}");
    let invariants = facts["invariants"].as_array().expect("a list");
    let number = |invariant: &Value| invariant["facts"].as_array().map_or(0, Vec::len) as u64;
    assert_eq!(Some(invariants.iter().map(number).sum::<u64>()), document["proof_size"].as_u64());
    let places = |invariant: &Value| invariant["places"].as_array().map_or(0, Vec::len);
    assert!(invariants.iter().all(|invariant| matches!(places(invariant), 1 | 2)), "{facts}");
    let never_together = invariants.iter().any(|i| places(i) == 2 && i["facts"][0] == "false");
    assert!(never_together, "{facts}");
    let place = &invariants[0]["places"][0];
    for field in ["thread", "location", "file", "line"] {
        assert!(place.get(field).is_some(), "no {field} in {place}");
    }
}

/// What the command `z3` says of a file, where there is one.
fn z3(path: &Path) -> Option<String> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.z3/bin/z3");
    let command = if own.exists() { own } else { PathBuf::from("z3") };
    let output = Command::new(command).arg("-T:60").arg(path).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[test]
fn another_solver_decides_horn_clauses() {
    for (engine, check, status, expected) in
        [("parametric", "(= x 1)", 0, "sat"), ("parametric", "(= x 2)", 20, "unsat"), ("auto", "(= x 1)", 0, "sat")]
    {
        let (program, clauses) = (file("horn.braid", &counter(check)), file(&format!("{engine}-{status}.smt2"), ""));
        let name = clauses.to_str().expect("a plain name");
        let output = verify(&program, &["--engine", engine, "--timeout", "60s", "--dump-horn", name]);
        assert_eq!(output.status.code(), Some(status), "{engine} {check}: {output:?}");
        let text = fs::read_to_string(&clauses).expect("it was written");
        assert!(text.starts_with("(set-logic HORN)\n"), "{text}");
        if let Some(answer) = z3(&clauses) {
            assert_eq!(answer, expected, "{check}\n{text}");
        }
    }
}

#[test]
fn clauses_that_nobody_writes_are_an_error() {
    let clauses = file("none.smt2", "");
    let name = clauses.to_str().expect("a plain name");
    let check = |program: &str, more: &[&str], status: i32, expected: &str| {
        let output = verify(&file("no-horn.braid", program), &[&["--dump-horn", name], more].concat());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{more:?}: {errors}");
        assert!(errors.contains(expected), "{more:?}: {errors}");
    };
    check(&counter("true"), &["--engine", "gem"], 2, "--dump-horn is for engine parametric");
    check("(var x Int) (set! x 1) (assert (= x 1))", &[], 74, "was not written");
    assert!(!clauses.exists());
    let nowhere = verify(&file("no-horn.braid", "(assert true)"), &["--dump-horn", "/no/such/folder/a.smt2"]);
    assert_eq!(nowhere.status.code(), Some(2));
}

/// A C program that starts threads in a loop with so many rounds.
fn started_in_a_loop(threads: usize, globals: &str, body: &str, last: &str) -> String {
    format!(
        "extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
        extern void __VERIFIER_assume(int); extern int __VERIFIER_nondet_int(void); void reach_error(void) {{}}
        #include <pthread.h>
        {globals}
        void *work(void *argument) {{ int l = 0; {body} return 0; }}
        int main(void) {{
            pthread_t t[{threads}];
            for (int i = 0; i < {threads}; i++) pthread_create(&t[i], 0, work, 0);
            for (int i = 0; i < {threads}; i++) pthread_join(t[i], 0);
            {last}
            return 0;
        }}"
    )
}

/// A lock with tickets: each draws the next number, and waits for its turn.
const TICKET: &str =
    "__VERIFIER_atomic_begin(); l = next; next = l + 1; __VERIFIER_atomic_end(); __VERIFIER_assume(turn == l);
    inside = inside + 1; if (inside != 1) reach_error(); inside = inside - 1; turn = turn + 1;";

#[test]
fn time_does_not_grow_with_threads_that_a_loop_starts() {
    let program = file("tickets.c", &started_in_a_loop(40, "int next, turn, inside;", TICKET, ""));
    let certificate = file("tickets.certificate", "");
    let name = certificate.to_str().expect("a plain name");
    let more = ["--property", "unreach-call", "--timeout", "120s", "--json", "-", "--certificate", name];
    let output = verify(&program, &more);
    let text = String::from_utf8(output.stdout).expect("text");
    let document: Value = serde_json::from_str(text.lines().next().unwrap_or_default()).expect("a document");
    assert_eq!(document["verdict"], "safe", "{text}");
    assert_eq!(document["engine"], "parametric", "{text}");
    assert_eq!(document["c"]["rolled"], true, "{text}");
    let checked = Command::new(env!("CARGO_BIN_EXE_braid")).arg("check").arg(&certificate).arg(&program).output();
    let checked = checked.expect("the binary runs");
    assert_eq!(checked.status.code(), Some(0), "{checked:?}");
}

/// What `parametric` proves of the program with its loops is not refuted by `explicit`, for which they are unrolled.
#[test]
fn proofs_of_loops_that_start_threads_are_not_refuted() {
    let steps = [
        "l = x;",
        "x = l + 1;",
        "x = 0;",
        "if (l < 2) y = l;",
        "__VERIFIER_atomic_begin(); x = x + 1; __VERIFIER_atomic_end();",
        "__VERIFIER_atomic_begin(); __VERIFIER_assume(!m); m = 1; __VERIFIER_atomic_end();",
        "m = 0;",
        "if (m) l = y;",
        "if (x > 2) reach_error();",
        "if (y != x) y = 1;",
        "if (l > x) reach_error();",
        "if (m && y > 1) reach_error();",
    ];
    let cases = std::env::var("BRAID_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(12);
    let (mut proven, mut refuted) = (0, 0);
    for seed in 0..cases {
        let mut random = braid_program::Random::new(seed);
        let body: Vec<&str> = (0..4 + random.below(4)).map(|_| steps[random.below(steps.len())]).collect();
        let last = ["", "if (x > 4) reach_error();", "if (y > x) reach_error();"][random.below(3)];
        let program = file(&format!("random-{seed}.c"), &started_in_a_loop(4, "int x, y, m;", &body.join(" "), last));
        let status = |engine: &str| {
            let output =
                verify(&program, &["--engine", engine, "--property", "unreach-call", "--timeout", "10s", "--quiet"]);
            output.status.code()
        };
        let (any, few) = (status("parametric"), status("explicit"));
        assert!(matches!(any, Some(0 | 20)) && matches!(few, Some(0 | 10 | 20)), "{seed}: {any:?} {few:?}");
        assert!(any != Some(0) || few != Some(10), "{seed}: proven and refuted, {body:?} {last}");
        proven += u32::from(any == Some(0));
        refuted += u32::from(few == Some(10));
    }
    assert!(proven > 0 && refuted > 0, "{proven} proven, {refuted} refuted");
}

/// The last line of what is said of a C program.
fn verdict_on_c(name: &str, text: &str, more: &[&str]) -> String {
    let options = ["--engine", "parametric", "--property", "unreach-call", "--quiet", "--timeout", "200s"];
    let output = verify(&file(name, text), &[&options, more].concat());
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned()
}

/// Ten readers and ten writers, started in one loop and joined in another, with handles in arrays. Few instances never get to the second loop.
#[test]
fn threads_that_are_joined_in_a_loop() {
    let text = "#include <pthread.h>
        extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
        extern void __VERIFIER_assume(int); void reach_error(void) {}
        int writing, reading, data;
        void *writer(void *unused) {
            __VERIFIER_atomic_begin();
            __VERIFIER_assume(writing == 0 && reading == 0);
            writing = 1;
            __VERIFIER_atomic_end();
            data = 7;
            __VERIFIER_atomic_begin(); writing = 0; __VERIFIER_atomic_end();
            return 0;
        }
        void *reader(void *unused) {
            __VERIFIER_atomic_begin();
            __VERIFIER_assume(writing == 0);
            reading = reading + STEP;
            __VERIFIER_atomic_end();
            int seen = data;
            if (data != seen) reach_error();
            __VERIFIER_atomic_begin(); reading = reading - STEP; __VERIFIER_atomic_end();
            return 0;
        }
        int main(void) {
            pthread_t writers[10], readers[10];
            for (int i = 0; i < 10; i++) {
                pthread_create(&writers[i], 0, writer, 0);
                pthread_create(&readers[i], 0, reader, 0);
            }
            for (int i = 0; i < 10; i++) {
                pthread_join(writers[i], 0);
                pthread_join(readers[i], 0);
            }
            return 0;
        }";
    assert_eq!(verdict_on_c("joined.c", text, &["-D", "STEP=1"]), "verdict: safe");
    let wrong = verdict_on_c("joined.c", text, &["-D", "STEP=0"]);
    assert!(wrong.starts_with("verdict: unknown"), "{wrong}");
}

/// Only who comes first writes. That number has many values, and one of them matters.
#[test]
fn one_of_many_values_matters() {
    let text = "#include <pthread.h>
        extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
        extern void __VERIFIER_assume(int); void reach_error(void) {}
        unsigned arrived, written;
        void *worker(void *unused) {
            unsigned own = 0;
            __VERIFIER_atomic_begin();
            __VERIFIER_assume(arrived < 4000000000u);
            arrived = arrived + 1;
            __VERIFIER_atomic_end();
            if (arrived == FIRST)
                for (;;) {
                    written = written + 3;
                    own = own + 3;
                    if (written != own) reach_error();
                }
            return 0;
        }
        int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, worker, 0); }";
    assert_eq!(verdict_on_c("first.c", text, &["-D", "FIRST=1"]), "verdict: safe");
    let wrong = verdict_on_c("first.c", text, &["-D", "FIRST=2"]);
    assert!(wrong.starts_with("verdict: unknown"), "{wrong}");
}
